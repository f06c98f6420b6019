package sim

// minutes reads a duration as GitLab writes them, "1h 30m" or "2d".
func minutes(s string) int64 {
	units := map[byte]int64{'m': 1, 'h': 60, 'd': 8 * 60, 'w': 5 * 8 * 60}
	var total, n int64
	for i := range len(s) {
		switch ch := s[i]; {
		case ch >= '0' && ch <= '9':
			n = n*10 + int64(ch-'0')
		case units[ch] > 0:
			total, n = total+n*units[ch], 0
		}
	}
	return total
}

func (c *call) setEstimate() (reply, error) {
	t := c.timeStats()
	t.set("time_estimate", minutes(c.in("duration"))*60)
	t.set("human_time_estimate", c.in("duration"))
	return ok(t)
}

func (c *call) addSpent() (reply, error) {
	t := c.timeStats()
	t.set("total_time_spent", t.num("total_time_spent")+minutes(c.in("duration"))*60)
	t.set("human_total_time_spent", c.in("duration"))
	return created(t)
}

func (c *call) timeStats() *object {
	i := c.item().doc
	if i.sub("time_stats") == nil {
		i.set("time_stats", obj("time_estimate", 0, "total_time_spent", 0))
	}
	return i.sub("time_stats")
}
