package overlay

func (b *builder) curate()                                          {}
func (b *builder) aliases()                                         {}
func (b *builder) ledger(path string)                               {}
func UpdateLock(cat any, lockPath string) (changed bool, err error) { return false, nil }
