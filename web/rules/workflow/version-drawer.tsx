import { Drawer, Tag } from 'antd'
import { useState } from 'react'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { FlowType } from '../../../contract/rules/workflow/workflow.schema.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowDiagram } from './flow-diagram.tsx'
import { editorStep } from './flow-form.ts'
import { figure } from '../../core/service/figure.ts'
import '../../shared/lessons/lessons.css'

interface VersionDrawerProps {
  wfId: string
  wfType: FlowType
  onClose: () => void
}

/** The versions a flow has had: who changed what and when, how many approvals still run by each, and its picture. */
export function VersionDrawer({ wfId, wfType, onClose }: VersionDrawerProps) {
  const [isOpen, setOpen] = useState(true)
  const { data: versions } = useCall(workflowApi.versions, { wfId })
  return (
    <Drawer
      open={isOpen}
      title="历史版本"
      size={640}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
    >
      {!versions && <ReadSkeleton />}
      {versions && (
        // the drawer scrolls, so something in it must take the keyboard
        <ol className="versions" tabIndex={0} aria-label="历史版本">
          {versions.map(({ wfVersion, isCurrent, runningCount, createName, createTime, changes, steps }, at) => (
            <li key={wfVersion}>
              <header>
                <b>第 {wfVersion} 版</b>
                {isCurrent && <Tag color="blue">当前</Tag>}
                {runningCount > 0 && <span>{figure(runningCount)} 个审批按此版运行</span>}
                <small>{[createName, createTime].filter(Boolean).join(' · ')}</small>
              </header>
              {changes.length > 0 && <Changes changes={changes} />}
              {changes.length === 0 && (
                <p className="nothing">{at === versions.length - 1 ? '最早的版本' : '范围与步骤没有变化'}</p>
              )}
              <details>
                <summary>查看该版的流程图</summary>
                <FlowDiagram wfType={wfType} steps={steps.map(editorStep)} />
              </details>
            </li>
          ))}
        </ol>
      )}
      {versions?.length === 0 && <EmptyState text="暂无历史版本" />}
    </Drawer>
  )
}

function Changes({ changes }: { changes: readonly { field: string; before: string; after: string }[] }) {
  return (
    <table className="small-table version-changes">
      <thead>
        <tr>
          <th>内容</th>
          <th>原来</th>
          <th>改为</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{before ? <del>{before}</del> : '—'}</td>
            <td>{after ? <ins>{after}</ins> : '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
