import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailurePage, type Reading } from '../../core/screen/read-failure.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowEditor } from './flow-editor.tsx'
import type { FlowStart } from './flow-form.ts'
import { useStart } from './use-start.ts'
import './workflow.css'

/** A new flow; the address may say for which category, type and range it is made. */
export function FlowAddPage() {
  const [query] = useSearchParams()
  const wfType = query.get('wfType') === flowType.supplement ? flowType.supplement : flowType.lesson
  const { data, error, refetch } = useCall(workflowApi.addInit, { wfType })
  const named = (name: string) => query.get(name)?.split(',').filter(Boolean) ?? []
  const start = data && {
    ...data,
    flow: {
      ...data.flow,
      wfcId: query.get('wfcId') ?? data.categories[0]?.wfcId ?? null,
      roleIds: named('roleIds'),
      lsIds: named('lsIds'),
      levels: named('levels'),
    },
  }
  return (
    <Loading start={error && !data ? null : start} reading={{ error, refetch }} title="新增流程">
      {start && <FlowEditor title="新增流程" start={start} mode="add" />}
    </Loading>
  )
}

/** A stored flow. */
export function FlowEditPage() {
  const [query] = useSearchParams()
  const wfId = query.get('wfId') ?? ''
  const { start, reading, reload } = useStart(wfId)
  useTabTitle(start?.flow.wfName)
  return (
    <Loading start={start} reading={reading} title="编辑流程">
      {start && (
        <FlowEditor
          key={`${wfId}/${start.flow.version}`}
          title={`编辑流程：${start.flow.wfName}`}
          start={start}
          mode="edit"
          onReload={reload}
        />
      )}
    </Loading>
  )
}

/** A copy of a flow. */
export function FlowClonePage() {
  const [query] = useSearchParams()
  const wfId = query.get('wfId') ?? ''
  const { data, error, refetch } = useCall(workflowApi.cloneInit, { wfId }, { enabled: wfId !== '' })
  const start = wfId === '' || (error && !data) ? null : data
  useTabTitle(data && `克隆 · ${data.flow.wfName}`)
  return (
    <Loading start={start} reading={{ error, refetch }} title="克隆流程">
      {start && <FlowEditor title="克隆流程" start={start} mode="clone" fromWfId={wfId} />}
    </Loading>
  )
}

function Loading({
  start,
  reading,
  title,
  children,
}: {
  start: FlowStart | null | undefined
  reading: Reading
  title: string
  children: ReactNode
}) {
  if (start === null)
    return <ReadFailurePage head={<PageHead title={title} />} reading={reading} noun="流程" list={flowPaths.list} />
  if (!start)
    return (
      <div className="page">
        <PageHead title={title} />
        <div className="card">
          <ReadSkeleton className="form-body" paragraph={{ rows: 10 }} />
        </div>
      </div>
    )
  return children
}
