package exec

import (
	"net/url"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// place is one identifier that a web address holds, and the arguments that it
// may stand for, the likeliest first.
type place struct {
	names []string
	value string
	// whole, if not empty, is the value for actions that take no path: a branch and
	// the path behind it look alike.
	whole string
}

// takeURLs takes web addresses of GitLab apart that were given as url, or in
// place of an id, and fills in the arguments that they name.
func (x *execution) takeURLs() {
	var keys []string
	for key := range x.r.Keys() {
		p, isParam := x.action.ParamNamed(key)
		switch {
		case isParam && (p.In() == catalog.InVariable || p.In() == catalog.InLocal) && p.Type() == catalog.TypeID:
		case isParam && p.In() == catalog.InPath && (isIDName(key) || p.Type() == catalog.TypeID):
		case !isParam && (key == "url" || key == "web_url" || isIDName(key)):
		default:
			continue
		}
		if raw, _ := x.r.Raw(key); scan.KindOf(raw) == scan.String && x.looksLikeURL(key, text(raw)) {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		x.takeURL(key)
	}
}

// isIDName is true for the names under which identifiers are given that are no
// argument by that name.
func isIDName(key string) bool {
	switch key {
	case "id", "iid", "project", "project_path", "full_path", "group", "mr_iid":
		return true
	}
	return strings.HasSuffix(key, "_url") || strings.HasSuffix(key, "_id") || strings.HasSuffix(key, "_iid")
}

// looksLikeURL is true for what is certainly an address: with a scheme, or
// beginning with GitLab's own host.
func (x *execution) looksLikeURL(key, s string) bool {
	if key == "url" || key == "web_url" {
		return true
	}
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "ssh://") ||
		strings.HasPrefix(s, x.client.Host()+"/") || strings.HasPrefix(s, "git@")
}

// webForm is an address as a web address: git remotes, and addresses that begin
// with GitLab's host, mean the same place.
func (x *execution) webForm(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, x.client.Host()+"/") {
		return "https://" + s
	}
	if rest, ok := strings.CutPrefix(s, "git@"); ok {
		return "https://" + strings.Replace(rest, ":", "/", 1)
	}
	if rest, ok := strings.CutPrefix(s, "ssh://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		host = host[strings.LastIndexByte(host, '@')+1:]
		host, _, _ = strings.Cut(host, ":") // the port of SSH
		return "https://" + host + "/" + path
	}
	return s
}

// takeURL replaces the argument key by what its address holds.
func (x *execution) takeURL(key string) {
	raw, _ := x.r.Raw(key)
	problem := func(expected string) {
		x.r.Delete(key)
		x.r.Problem(arg.Problem{Path: key, Code: arg.Invalid, Expected: expected})
	}
	s := text(raw)
	u, err := url.Parse(x.webForm(s))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		problem("a web address of " + x.client.Host())
		return
	}
	base, err := url.Parse(x.client.BaseURL())
	remote := !strings.HasPrefix(strings.TrimSpace(s), "http")
	if err != nil || !(sameSite(base, u) || (remote && strings.EqualFold(base.Hostname(), u.Hostname()))) {
		problem("an address of " + x.client.Host() + ", the GitLab of this server; nothing is sent to other hosts")
		return
	}
	path, inside := strings.CutPrefix(u.EscapedPath(), base.EscapedPath())
	inside = inside || remote // remotes know nothing of a sub-path install
	if !inside || (path != "" && path[0] != '/') {
		problem("an address under " + x.client.BaseURL())
		return
	}
	x.r.Delete(key)
	ref := ""
	for _, name := range [...]string{"ref", "branch", "commit_sha", "sha"} {
		if raw, ok := x.r.Raw(name); ok && ref == "" {
			ref = text(raw)
		}
	}
	used := 0
	for _, pl := range placesOf(path, u.Fragment, ref, x.takesGroup()) {
		if x.fill(key, pl) {
			used++
		}
	}
	if used == 0 {
		x.r.Problem(arg.Problem{Path: key, Code: arg.Invalid, Expected: "an address of what " + x.action.ID() + " acts on"})
		return
	}
	x.note(key + ": the web address was taken apart")
}

// sameSite compares the hosts of two web addresses; the scheme does not matter,
// since nothing is sent to the address given.
func sameSite(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if p := u.Port(); p != "443" && p != "80" {
			return p
		}
		return ""
	}
	return strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// takesGroup reports whether the action acts on a group and on no project.
func (x *execution) takesGroup() bool {
	_, group := x.action.ParamNamed("group_id")
	_, project := x.action.ParamNamed("project_id")
	return group && !project
}

// fill gives the first argument that the place may stand for its value. An
// argument that was given with another value is a problem: the caller means two
// things at once.
func (x *execution) fill(key string, pl place) bool {
	if pl.whole != "" && !x.isParam("path") && !x.isParam("file_path") {
		pl.value = pl.whole
	}
	for _, name := range pl.names {
		p, ok := x.action.ParamNamed(name)
		if !ok && !(strings.HasSuffix(name, "_line") && x.selects(name)) {
			continue
		}
		kind := catalog.TypeInteger
		if ok {
			kind = p.Type()
		}
		if raw, _ := x.r.Raw(name); x.given(name) && text(raw) != "" {
			if have, err := url.PathUnescape(text(raw)); err != nil || !strings.EqualFold(have, pl.value) {
				// A numeric id and a path may well be the same project.
				if !(strings.HasSuffix(name, "_id") && isDigits(have) != isDigits(pl.value)) {
					x.r.Problem(arg.Problem{Path: name, Code: arg.Invalid, Got: "another value than in " + key, Expected: "one of " + name + " and " + key})
				}
			}
			return true
		}
		x.r.Delete(name)
		x.r.Put(name, literal(kind, pl.value))
		return true
	}
	return false
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// placesOf are the identifiers in the path of a web address, of an API address
// too. ref, if known, tells where a branch with slashes ends.
func placesOf(path, fragment, ref string, group bool) []place {
	segments := split(path)
	if len(segments) >= 2 && segments[0] == "api" && segments[1] == "v4" {
		return apiPlaces(segments[2:])
	}
	isGroup := len(segments) > 0 && segments[0] == "groups"
	if isGroup {
		segments = segments[1:]
	}
	full, rest := cutFeature(segments)
	if len(full) == 0 { // of no project: a personal snippet
		return featurePlaces(rest, fragment, ref)
	}
	namespace := strings.TrimSuffix(strings.Join(full, "/"), ".git")
	var places []place
	switch {
	case isGroup, group && len(rest) == 0:
		places = append(places, place{names: []string{"group_id"}, value: namespace})
	case len(full) == 1:
		// A person or a group; never a project.
		places = append(places, place{names: []string{"group_id", "username", "user_id"}, value: namespace})
	default:
		places = append(places, place{names: []string{"project_id"}, value: namespace})
	}
	return append(places, featurePlaces(rest, fragment, ref)...)
}

// split is the path's segments, decoded.
func split(path string) []string {
	var out []string
	for s := range strings.SplitSeq(path, "/") {
		if s == "" {
			continue
		}
		if d, err := url.PathUnescape(s); err == nil {
			s = d
		}
		out = append(out, s)
	}
	return out
}

// features are the segments that end a project's path in addresses of old
// GitLab versions, which have no "/-/" before them.
var features = []string{
	"issues", "merge_requests", "blob", "tree", "raw", "blame", "commit", "commits", "pipelines", "jobs", "tags", "branches",
	"milestones", "snippets", "wikis", "environments", "releases", "compare", "work_items", "epics",
}

// cutFeature splits a path at "-", or at the first feature behind a project.
func cutFeature(segments []string) (full, rest []string) {
	if i := slices.Index(segments, "-"); i >= 0 {
		return segments[:i], segments[i+1:]
	}
	for i := 2; i < len(segments); i++ {
		if slices.Contains(features, segments[i]) {
			return segments[:i], segments[i:]
		}
	}
	return segments, nil
}

// featurePlaces are the identifiers behind a project or group.
func featurePlaces(rest []string, fragment, ref string) []place {
	if len(rest) < 2 {
		return notePlace(fragment)
	}
	id := rest[1]
	one := func(names ...string) []place {
		return append([]place{{names: names, value: id}}, notePlace(fragment)...)
	}
	switch rest[0] {
	case "issues", "work_items":
		return one("issue_iid", "work_item_iid", "epic_iid")
	case "merge_requests":
		return one("merge_request_iid")
	case "epics":
		return one("epic_iid", "work_item_iid")
	case "pipelines":
		return one("pipeline_id")
	case "jobs":
		return one("job_id")
	case "commit":
		return one("commit_sha", "sha", "ref", "ref_name")
	case "snippets":
		return one("snippet_id")
	case "environments":
		return one("environment_id")
	case "packages":
		return one("package_id")
	case "pipeline_schedules":
		return one("pipeline_schedule_id")
	case "runners":
		return one("runner_id")
	case "feature_flags":
		return one("feature_flag_name", "name")
	case "tags", "releases":
		return []place{{names: []string{"tag_name", "ref", "name"}, value: strings.Join(rest[1:], "/")}}
	case "branches":
		return []place{{names: []string{"branch", "branch_name", "ref", "name"}, value: strings.Join(rest[1:], "/")}}
	case "wikis":
		return []place{{names: []string{"slug", "wiki_page_slug", "wiki_page_id"}, value: strings.Join(rest[1:], "/")}}
	case "commits":
		return []place{{names: []string{"ref_name", "ref"}, value: strings.Join(rest[1:], "/")}}
	case "compare":
		from, to, ok := strings.Cut(strings.Join(rest[1:], "/"), "...")
		if !ok {
			return nil
		}
		return []place{{names: []string{"from"}, value: from}, {names: []string{"to"}, value: to}}
	case "blob", "raw", "blame", "tree", "edit":
		return append(filePlaces(rest[1:], ref), linePlaces(fragment)...)
	}
	return notePlace(fragment)
}

// filePlaces splits "ref/path". A branch may have slashes itself, which only a
// ref that was given besides can tell, or an encoded slash; otherwise it ends at
// the first one. An action that knows a branch and no path is meant with all of it,
// which is the place's whole.
func filePlaces(segments []string, ref string) []place {
	s := strings.Join(segments, "/")
	branch, path := segments[0], strings.Join(segments[1:], "/")
	if ref != "" && strings.HasPrefix(s+"/", ref+"/") {
		branch, path = ref, strings.TrimPrefix(strings.TrimPrefix(s, ref), "/")
	}
	places := []place{{names: []string{"ref", "branch", "commit_sha"}, value: branch, whole: s}}
	if path != "" {
		places = append(places, place{names: []string{"file_path", "path"}, value: path})
	}
	return places
}

// linePlaces are the lines of a fragment: L10, L10-20, L10-L20.
func linePlaces(fragment string) []place {
	s, ok := strings.CutPrefix(fragment, "L")
	if !ok {
		return nil
	}
	from, to, isRange := strings.Cut(s, "-")
	to = strings.TrimPrefix(to, "L")
	if !isRange {
		to = from
	}
	if !isDigits(from) || !isDigits(to) {
		return nil
	}
	return []place{
		{names: []string{"start_line", "line"}, value: from},
		{names: []string{"end_line"}, value: to},
	}
}

// notePlace is the note of a fragment: note_123.
func notePlace(fragment string) []place {
	if id, ok := strings.CutPrefix(fragment, "note_"); ok && isDigits(id) {
		return []place{{names: []string{"note_id"}, value: id}}
	}
	return nil
}

// apiPlaces are the identifiers of an address of the API.
func apiPlaces(segments []string) []place {
	names := map[string][]string{
		"projects": {"project_id"}, "groups": {"group_id"}, "users": {"user_id"}, "issues": {"issue_iid", "issue_id"},
		"merge_requests": {"merge_request_iid"}, "epics": {"epic_iid"}, "pipelines": {"pipeline_id"}, "jobs": {"job_id"},
		"notes": {"note_id"}, "discussions": {"discussion_id"}, "snippets": {"snippet_id"}, "files": {"file_path"},
		"commits": {"commit_sha", "sha"}, "branches": {"branch", "branch_name"}, "tags": {"tag_name"}, "milestones": {"milestone_id"},
		"environments": {"environment_id"}, "deployments": {"deployment_id"}, "releases": {"tag_name"}, "runners": {"runner_id"},
	}
	var places []place
	for i := 0; i+1 < len(segments); i++ {
		if n, ok := names[segments[i]]; ok {
			places = append(places, place{names: n, value: segments[i+1]})
			i++
		}
	}
	return places
}
