package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxInput bounds the size of a document; GitLab's has 4 MB.
const maxInput = 64 << 20

// fetchTimeout bounds a download as a whole.
const fetchTimeout = 5 * time.Minute

// fetch reads a file or, if in begins with http:// or https://, what stands at
// an address. It also gives the name to remember it by, which holds neither a
// directory nor credentials.
func fetch(ctx context.Context, in string) (data []byte, name string, err error) {
	if !strings.HasPrefix(in, "https://") && !strings.HasPrefix(in, "http://") {
		f, err := os.Open(in)
		if err != nil {
			return nil, "", err // names the file
		}
		defer f.Close() // only read
		data, err = readAll(f, in, maxInput)
		return data, filepath.Base(in), err
	}
	u, err := url.Parse(in)
	if err != nil {
		return nil, "", errors.New("the address to import from is not valid") // in may hold a token
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	bare := *u
	bare.User, bare.RawQuery, bare.Fragment = nil, "", ""
	name = bare.String()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in, nil)
	if err != nil {
		return nil, "", fmt.Errorf("%s: no request can be made of it", name)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err // its own text repeats the address with the query
		}
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("%s: the server answered %s; download the file and pass its path", name, resp.Status)
	}
	data, err = readAll(resp.Body, name, maxInput)
	return data, name, err
}

// readAll reads at most limit bytes; more is an error.
func readAll(r io.Reader, name string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: the transfer was cut off; try again", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s: larger than %d MiB, which no OpenAPI document of GitLab is", name, limit>>20)
	}
	return data, nil
}
