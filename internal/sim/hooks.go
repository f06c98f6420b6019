package sim

import "maps"

// hooks are the routes that behave in a way of their own, by method and path with
// empty placeholders.
func hooks() map[string]hook {
	all := map[string]hook{}
	for _, part := range []map[string]hook{
		metaHooks(), userHooks(), groupHooks(), projectHooks(), memberHooks(),
		branchHooks(), tagHooks(), commitHooks(), fileHooks(), repositoryHooks(),
		issueHooks(), noteHooks("issues"), noteHooks("merge_requests"),
		mergeRequestHooks(), approvalHooks(), labelHooks(), milestoneHooks(), releaseHooks(),
		pipelineHooks(), jobHooks(), artifactHooks(), variableHooks(),
		searchHooks(), eventHooks(), todoHooks(), wikiHooks(),
	} {
		maps.Copy(all, part)
	}
	return all
}
