const list = '/basicConfig/ProcessManagement'

/** Where the screens of flows are. */
export const flowPaths = {
  list,
  add: (given: Record<string, string> = {}) => withQuery(`${list}/AddProcessManagement`, given),
  edit: (wfId: string) => `${list}/editProcessManagement?wfId=${wfId}`,
  copy: (wfId: string) => `${list}/CloneProcessManagement?wfId=${wfId}`,
  coverage: `${list}/CoverageMap`,
  sandbox: `${list}/FlowSandbox`,
}

const withQuery = (path: string, given: Record<string, string>): string =>
  Object.keys(given).length === 0 ? path : `${path}?${new URLSearchParams(given)}`
