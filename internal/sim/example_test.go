package sim_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/sim"
)

// A test starts a company of its own, lets the first request go wrong, and looks
// at what was asked.
func ExampleNew() {
	gitlab := sim.New(catalog.New(generated.Tables()), sim.Options{Record: true, Faults: []sim.Fault{sim.RateLimited(1, 1)}})
	server := httptest.NewServer(gitlab)
	defer server.Close()

	for range 2 {
		req, err := http.NewRequest(http.MethodGet, server.URL+"/api/v4/projects/acme%2Fwebshop/languages", nil)
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bearer "+sim.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			panic(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			panic(err)
		}
		fmt.Println(resp.StatusCode, string(body))
	}
	for _, r := range gitlab.Requests() {
		fmt.Println(r)
	}
	// Output:
	// 429 {"message":"429 Too Many Requests"}
	// 200 {"Go":90,"SQL":6.81,"Shell":3.17}
	// GET /api/v4/projects/acme%2Fwebshop/languages
	// GET /api/v4/projects/acme%2Fwebshop/languages
}
