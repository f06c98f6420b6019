// Package sim is a GitLab in memory, spoken to over HTTP: a small company with
// groups, projects, issues, merge requests, pipelines and files that change as
// they are used. It serves the demo, tests, and people who try the server
// without a GitLab.
//
// Which routes exist and what a request may carry comes from the catalog; a
// request that contradicts it is refused with the name of the parameter. Every
// collection and item works in a generic way, and the domains of daily work
// have hooks that behave as GitLab does.
//
// It is not for judging what GitLab would do in a corner case, holds nothing
// across a restart, and knows only the permissions of a token's scope.
package sim
