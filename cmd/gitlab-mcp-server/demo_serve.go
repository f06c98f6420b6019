package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/server"
	"gitlab-mcp-server/internal/sim"
)

// serveSim keeps a simulated GitLab listening until ctx ends, and prints what a
// client needs to use it.
func (a *app) serveSim(ctx context.Context, l net.Listener, cat *catalog.Catalog) int {
	url := "http://" + l.Addr().String()
	stop := listen(l, sim.New(cat, sim.Options{BaseURL: url}))
	defer stop()
	snippet, err := clientConfig(url)
	if err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	fmt.Fprintf(a.stdout, "A simulated GitLab listens at %s; what changes in it is gone when it ends.\n\n", url)
	fmt.Fprintf(a.stdout, "export GITLAB_URL=%s\nexport GITLAB_TOKEN=%s\n\n", url, sim.Token)
	fmt.Fprintf(a.stdout, "Configuration of an MCP client:\n\n%s\n\n", snippet)
	fmt.Fprintf(a.stdout, "Or at a terminal:\n\n%s execute issue.list --params '{\"project_id\":\"acme/webshop\",\"state\":\"opened\"}'\n\n", server.Name)
	fmt.Fprintf(a.stdout, "To see it fail (429, 500, slow, HTML, cut connections):\n\n"+
		"curl -H 'PRIVATE-TOKEN: %s' -d '{\"status\":429,\"retry_after\":2,\"times\":1}' %s/-/sim/faults\n\nCtrl-C ends it.\n", sim.Token, url)
	<-ctx.Done()
	return exitOK
}

// clientConfig is the snippet that most MCP clients take.
func clientConfig(url string) ([]byte, error) {
	command, err := os.Executable()
	if err != nil {
		command = server.Name
	}
	return json.MarshalIndent(map[string]any{
		"mcpServers": map[string]any{
			"gitlab": map[string]any{
				"command": command,
				"env":     map[string]string{"GITLAB_URL": url, "GITLAB_TOKEN": sim.Token},
			},
		},
	}, "", "  ")
}
