package search

func (w *work) explain(hits []Hit, order *ranked) {}
