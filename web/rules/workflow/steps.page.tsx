import { Form, Select } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { flowForm } from '../../../contract/rules/workflow/workflow.schema.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { LeaveButton } from '../../core/screen/leave-button.tsx'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { useDraftOffer } from '../../core/form/draft-offer.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { defaultsOf } from '../../core/service/schema.ts'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useRecordForm, type Values } from '../../core/form/use-record-form.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { FlowDiagram } from './flow-diagram.tsx'
import { flowInput, formOf, type EditorStep, type FlowStart, type FlowValues } from './flow-form.ts'
import { confirmedSamples, useSaveQuestion } from './save-question.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { StepsField } from './steps-field.tsx'
import { useStart } from './use-start.ts'
import { useVerdict } from './use-verdict.ts'
import { VerdictPanel } from './verdict-panel.tsx'
import './workflow.css'

/** The steps of one flow alone; without a flow in the address one is chosen first. */
export function StepsPage() {
  const [query, setQuery] = useSearchParams()
  const wfId = query.get('wfId') ?? ''
  const flows = useCall(workflowApi.list, { pageSize: 200 })
  const { start, reading, reload } = useStart(wfId)
  useTabTitle(start?.flow.wfName)
  return (
    <div className="page flow-page">
      <PageHead
        title="步骤设置"
        facts={start ? `${start.flow.wfName}，第 ${start.flow.wfVersion} 版` : '选择流程后设置各环节的审批步骤'}
        tools={
          <Select
            className="steps-flow"
            aria-label="流程"
            placeholder="请选择流程"
            value={wfId || undefined}
            loading={flows.isPending}
            showSearch={{ optionFilterProp: 'label' }}
            options={(flows.data?.records ?? []).map((row) => ({ value: row.wfId, label: row.wfName }))}
            onChange={(chosen: string) => setQuery({ wfId: chosen }, { replace: true })}
          />
        }
      />
      {wfId === '' && (
        <div className="card">
          <EmptyState text="请先选择流程" />
        </div>
      )}
      {wfId !== '' && start === null && (
        <div className="card">
          <ReadFailure reading={reading} noun="流程" list={flowPaths.list} />
        </div>
      )}
      {start === undefined && (
        <div className="card">
          <ReadSkeleton className="form-body" />
        </div>
      )}
      {start && <StepsForm key={`${wfId}/${start.flow.version}`} start={start} onReload={reload} />}
    </div>
  )
}

/** The same steps as in the editor, with their picture; everything else of the flow stays as it is. */
function StepsForm({ start, onReload }: { start: FlowStart; onReload: () => void }) {
  const tab = useTab()
  const [initial] = useState(() => formOf(start))
  const [isStale, setStale] = useState(false)
  const { wfId, version, wfType } = start.flow
  const { saveConfirmed, confirmRefused, question } = useSaveQuestion(start.flow)
  const draft = `flow-steps:${wfId!}`
  const form = useRecordForm({
    draft,
    call: workflowApi.save,
    initial,
    input: (values: Values) => ({
      ...flowInput({ ...(initial as unknown as FlowValues), steps: (values as unknown as FlowValues).steps }),
      ...confirmedSamples(values),
      wfId: wfId!,
      version,
    }),
    confirm: (wanted) => saveConfirmed(wanted, live.verdict),
    onDone: ({ wfVersion }) => {
      notify('success', `已保存为第 ${wfVersion} 版，运行中的审批不受影响`)
      onReload()
    },
    onFailed: (error) => {
      setStale(error.reason === 'stale-version')
      confirmRefused(error, form.submit)
    },
  })
  const offer = useDraftOffer(draft, { version, onTake: form.fill })
  const leave = () => {
    form.discard()
    tab.close(flowPaths.list)
  }
  const steps = (Form.useWatch('steps', form.form) as EditorStep[] | undefined) ?? (initial['steps'] as EditorStep[])
  const live = useVerdict({ ...(initial as unknown as FlowValues), steps }, wfId ?? undefined)
  return (
    <>
      {isStale && <StaleNotice onReload={onReload} />}
      {question}
      <div className="flow-columns">
        <div className="card form-card">
          {offer}
          <ScopedForm
            form={form.form}
            layout="vertical"
            initialValues={{ ...defaultsOf(flowForm), ...initial }}
            onValuesChange={form.onValuesChange}
            className="form-body"
            scrollToFirstError={false}
          >
            <StepsField wfType={wfType} roles={start.roles} troubles={live.troubles} />
          </ScopedForm>
          <div className="form-foot">
            <LeaveButton isDirty={form.isDirty} onLeave={leave}>
              返回
            </LeaveButton>
            <LockButton
              type="primary"
              disabled={!form.isDirty}
              loading={form.isSending}
              {...{ 'authority-type': workflowApi.save.permit }}
              onClick={() => form.submit()}
            >
              保存
            </LockButton>
          </div>
        </div>
        <aside className="card flow-side" tabIndex={0} aria-label="流程图与校验结果">
          {live.verdict && (
            <VerdictPanel verdict={live.verdict} unfinished={live.unfinished} isChecking={live.isChecking} />
          )}
          <h2>流程图</h2>
          <FlowDiagram wfType={wfType} steps={steps} roles={start.roles} troubles={live.troubles} />
        </aside>
      </div>
    </>
  )
}
