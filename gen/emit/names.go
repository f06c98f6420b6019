package emit

import (
	"strconv"
	"strings"
	"unicode"
)

// initialisms are words that Go writes in one case.
var initialisms = map[string]string{
	"acl": "ACL", "api": "API", "ci": "CI", "cpu": "CPU", "css": "CSS", "csv": "CSV", "dns": "DNS", "dora": "DORA", "eks": "EKS",
	"gcp": "GCP", "gpg": "GPG", "html": "HTML", "http": "HTTP", "https": "HTTPS", "id": "ID", "ids": "IDs", "iid": "IID", "iids": "IIDs",
	"ip": "IP", "ips": "IPs", "jid": "JID", "json": "JSON", "ldap": "LDAP", "lfs": "LFS", "mr": "MR", "oidc": "OIDC", "os": "OS",
	"pat": "PAT", "pgp": "PGP", "saml": "SAML", "sbom": "SBOM", "scim": "SCIM", "sha": "SHA", "shas": "SHAs", "sql": "SQL",
	"ssh": "SSH", "ssl": "SSL", "tls": "TLS", "ttl": "TTL", "ui": "UI", "uid": "UID", "uri": "URI", "url": "URL", "urls": "URLs",
	"usb": "USB", "uuid": "UUID", "vs": "VS", "xml": "XML", "yaml": "YAML",
}

// exported is the exported Go name of a name in snake_case or any other form:
// project_id becomes ProjectID.
func exported(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		if s, ok := initialisms[w]; ok {
			b.WriteString(s)
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	s := b.String()
	if s == "" || !unicode.IsLetter(rune(s[0])) {
		s = "X" + s
	}
	return s
}

// unexported is the unexported Go name of a name: issue.update becomes issueUpdate.
func unexported(name string) string {
	s := exported(name)
	first := words(name)
	if len(first) == 0 || s[0] == 'X' && first[0][0] != 'x' {
		return "x" + s[1:]
	}
	if in, ok := initialisms[first[0]]; ok {
		return strings.ToLower(in) + s[len(in):]
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// words splits at everything that is no ASCII letter or digit, lower-case.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// scope hands out identifiers, each once.
type scope map[string]bool

// take gives the first of the wanted identifiers that is free, and failing
// these the last one with a number.
func (s scope) take(wanted ...string) string {
	for _, w := range wanted {
		if !s[w] {
			s[w] = true
			return w
		}
	}
	last := wanted[len(wanted)-1]
	for n := 2; ; n++ {
		w := last + strconv.Itoa(n)
		if !s[w] {
			s[w] = true
			return w
		}
	}
}
