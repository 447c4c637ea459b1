import { figure } from '../../core/service/figure.ts'
import { Drawer } from 'antd'
import { useState } from 'react'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { RecordTimeline } from '../../shared/record-timeline/record-timeline.tsx'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowDiagram } from './flow-diagram.tsx'
import { editorStep } from './flow-form.ts'

/** A flow to look at: what it is for, and its picture. */
export function FlowDrawer({ wfId, onClose }: { wfId: string; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const { data, ...reading } = useCall(workflowApi.editInit, { wfId })
  const names = (ids: readonly string[], known: readonly { id: string; name: string }[], all: string) =>
    ids.map((id) => known.find((one) => one.id === id)?.name ?? '已删除').join('、') || all
  return (
    <Drawer
      open={isOpen}
      title={data?.flow.wfName ?? '流程'}
      size={480}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
    >
      {!data && <ReadSkeleton reading={reading} />}
      {data && (
        // the drawer scrolls, so something in it must take the keyboard
        <div tabIndex={0}>
          <Facts
            items={[
              { label: '类型', value: <DictionaryText type="wf_type" value={data.flow.wfType} />, isWide: true },
              {
                label: '版本',
                value: `第 ${data.flow.wfVersion} 版，${figure(data.runningCount)} 个审批运行中`,
                isWide: true,
              },
              { label: '适用角色', value: names(data.flow.roleIds, data.roles, '全部'), isWide: true },
              {
                label: '适用体系',
                value: names(
                  data.flow.lsIds,
                  data.classes.map(({ lsId, lsName }) => ({ id: lsId, name: lsName })),
                  '全部',
                ),
                isWide: true,
              },
              { label: '适用级别', value: names(data.flow.levels, data.levels, '全部'), isWide: true },
              { label: '说明', value: data.flow.wfDesc, isWide: true },
            ]}
          />
          <FlowDiagram wfType={data.flow.wfType} steps={data.flow.steps.map(editorStep)} roles={data.roles} />
          <h2 className="flow-history">动态</h2>
          <RecordTimeline bizType="workflow" bizId={wfId} />
        </div>
      )}
    </Drawer>
  )
}
