// Package server puts the parts together: from settings and a catalog it makes
// the engine that terminal commands use and the MCP server around it, and it
// runs that server over stdio.
//
// It is not for behaviour: what tools do is package surface's, what settings
// mean package config's.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/own"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/surface"
)

// Name is the server's name in the protocol and in its User-Agent.
const Name = "gitlab-mcp-server"

// Server is one server with its engine.
type Server struct {
	Engine *surface.Engine

	cfg    *config.Config
	client *gitlab.Client
	log    *slog.Logger
}

// New puts a server together. It opens no connection. The error is about
// settings: an exclusion that matches nothing, or certificates that cannot be read.
func New(cfg *config.Config, cat *catalog.Catalog, version string, log *slog.Logger) (*Server, error) {
	p, err := policy.New(cat, policy.Config{ReadOnly: cfg.ReadOnly, SafeMode: cfg.SafeMode, Exclude: cfg.Exclude, Tier: cfg.Tier})
	if err != nil {
		return nil, fmt.Errorf("EXCLUDE_TOOLS: %w", err)
	}
	files := &exec.Files{UploadDirs: cfg.UploadDirs, DownloadDir: cfg.DownloadDir}
	client, err := gitlab.New(clientConfig(cfg, version, files, log))
	if err != nil {
		return nil, err
	}
	finder := search.New(cat)
	ours := &own.Actions{Version: version, Surface: "dynamic", Searches: finder.Counters()}
	x := exec.New(cat, p, client, exec.Config{
		SkipConfirmation:  cfg.SkipConfirmation,
		GuardQuickActions: cfg.GuardQuickActions,
		Budget:            cfg.ResultBudget,
		Files:             files,
		Own:               ours.Action,
		Helpers:           own.Helper,
	})
	return &Server{
		Engine: &surface.Engine{Catalog: cat, Policy: p, Finder: finder, Exec: x, Version: version},
		cfg:    cfg, client: client, log: log,
	}, nil
}

func clientConfig(cfg *config.Config, version string, files *exec.Files, log *slog.Logger) gitlab.Config {
	c := gitlab.Config{
		BaseURL:          cfg.BaseURL,
		Credential:       gitlab.Credential{Token: cfg.Token.Reveal()},
		Timeout:          cfg.Timeout,
		MaxRetryWait:     cfg.MaxRetryWait,
		MaxResponseBytes: cfg.MaxResponseBytes,
		SkipTLSVerify:    cfg.SkipTLSVerify,
		UserAgent:        Name + "/" + version,
		Logger:           log,
		Open:             files.Open,
	}
	switch cfg.AuthHeader {
	case config.PrivateToken:
		c.Credential.Kind = gitlab.PrivateToken
	case config.JobToken:
		c.Credential.Kind = gitlab.JobToken
	}
	if cfg.CAFile != "" {
		c.CAFiles = []string{cfg.CAFile}
	}
	return c
}

// ServeStdio serves one client until it closes its end, or until ctx ends. A
// client's plain goodbye is no error.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.logStart()
	t := &Stdio{In: in, Out: out, Log: s.log}
	session, err := s.newMCP(ctx).Connect(ctx, t, nil)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	stop := context.AfterFunc(ctx, t.Abort)
	defer stop()
	if err := session.Wait(); err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("session: %w", err)
	}
	s.log.Info("stopped")
	return nil
}

// newMCP makes the server of the SDK. ctx bounds what runs in the background.
func (s *Server) newMCP(ctx context.Context) *mcp.Server {
	m := mcp.NewServer(&mcp.Implementation{Name: Name, Title: "GitLab", Version: s.Engine.Version}, &mcp.ServerOptions{
		Instructions: surface.Instructions,
		Logger:       slog.New(quiet{s.log.Handler()}),
		// No list gets longer or shorter within a session, and nothing is logged through the protocol.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
	surface.NewDynamic(s.Engine).Register(m)
	if !s.cfg.Token.IsZero() && s.cfg.AuthHeader != config.JobToken {
		m.AddReceivingMiddleware(newProbe(s.client, s.Engine.Policy.SetScopes, s.log).after(ctx))
	}
	m.AddReceivingMiddleware(lowerOffer)
	m.AddReceivingMiddleware(recoverPanics(s.log)) // last added, outermost
	return m
}

// logStart says where calls will go and what deserves attention.
func (s *Server) logStart() {
	for _, w := range s.cfg.Warnings {
		s.log.Warn(w)
	}
	s.log.Info("started", "version", s.Engine.Version, "gitlab", s.cfg.BaseURL, "surface", string(s.cfg.Surface),
		"actions", s.Engine.Catalog.Len(), "token", s.cfg.TokenSource, "read_only", s.cfg.ReadOnly, "safe_mode", s.cfg.SafeMode)
}
