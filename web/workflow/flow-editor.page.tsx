import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import { Alert, Button, Form, Skeleton } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { workflowApi } from '../../contract/workflow/workflow.calls.ts'
import { flowForm, type FlowType, type FlowVerdict } from '../../contract/workflow/workflow.schema.ts'
import { LockButton } from '../core/buttons.tsx'
import { EmptyState } from '../core/empty-state.tsx'
import { AreaField, DictField, SelectField, SwitchField, TextField } from '../core/fields.tsx'
import { FormScope } from '../core/form-core.tsx'
import { notify } from '../core/notice.tsx'
import { PageHead } from '../core/page-head.tsx'
import { FormSection } from '../core/record-form.tsx'
import { useTab, useTabTitle } from '../core/tab.ts'
import { TreeField } from '../core/tree-fields.tsx'
import { useCall, useSend } from '../core/use-call.ts'
import { useRecordForm, type Values } from '../core/use-record-form.ts'
import { FlowDiagram } from './flow-diagram.tsx'
import { FlowIconField } from './flow-icons.tsx'
import { flowInput, formOf, nodesFor, rangeTree, stepsInput, type EditorStep, type FlowStart, type FlowValues } from './flow-form.ts'
import { StepsField } from './steps-field.tsx'
import { VerdictPanel } from './verdict-panel.tsx'
import './workflow.css'

const home = '/basicConfig/ProcessManagement'

/** A new flow. */
export function FlowAddPage() {
  const [query] = useSearchParams()
  const wfType = query.get('wfType') === '2' ? '2' : '1'
  const { data } = useCall(workflowApi.addInit, { wfType })
  const start = data && { ...data, flow: { ...data.flow, wfcId: query.get('wfcId') ?? data.categories[0]?.wfcId ?? null } }
  return <Loading start={start} title="新增流程">{start && <FlowEditor title="新增流程" start={start} mode="add" />}</Loading>
}

/** A stored flow. */
export function FlowEditPage() {
  const [query] = useSearchParams()
  const wfId = query.get('wfId') ?? ''
  const { data, isError } = useCall(workflowApi.editInit, { wfId }, { enabled: wfId !== '' })
  useTabTitle(data?.flow.wfName)
  const start = wfId === '' || isError ? null : data
  return <Loading start={start} title="编辑流程">{start && <FlowEditor key={`${wfId}/${start.flow.version}`} title={`编辑流程：${start.flow.wfName}`} start={start} mode="edit" />}</Loading>
}

/** A copy of a flow. */
export function FlowClonePage() {
  const [query] = useSearchParams()
  const wfId = query.get('wfId') ?? ''
  const { data, isError } = useCall(workflowApi.cloneInit, { wfId }, { enabled: wfId !== '' })
  const start = wfId === '' || isError ? null : data
  return <Loading start={start} title="克隆流程">{start && <FlowEditor title="克隆流程" start={start} mode="clone" fromWfId={wfId} />}</Loading>
}

function Loading({ start, title, children }: { start: FlowStart | null | undefined; title: string; children: React.ReactNode }) {
  if (start === null) return <div className="page"><div className="card"><EmptyState text="该流程不存在或已删除" /></div></div>
  if (!start) return <div className="page"><PageHead title={title} /><div className="card"><Skeleton active className="form-body" paragraph={{ rows: 10 }} /></div></div>
  return children
}

interface EditorProps {
  title: string
  start: FlowStart
  mode: 'add' | 'edit' | 'clone'
  fromWfId?: string
}

function FlowEditor({ title, start, mode, fromWfId }: EditorProps) {
  const tab = useTab()
  const [initial] = useState(() => formOf(start))
  const form = useRecordForm({
    call: mode === 'clone' ? workflowApi.addClone : workflowApi.save,
    initial,
    input: (values: Values) => {
      const { wfId, version } = start.flow
      return { ...flowInput(values as unknown as FlowValues), ...(mode === 'clone' ? { fromWfId: fromWfId! } : mode === 'edit' ? { wfId: wfId!, version } : {}) } as never
    },
    onDirty: tab.setDirty,
    onDone: ({ wfVersion }) => {
      notify('success', mode === 'edit' ? `已保存为第 ${wfVersion} 版，运行中的审批不受影响` : '流程已新增')
      tab.close(home)
    },
  })
  const wfType = (Form.useWatch('wfType', form.form) as FlowType | undefined) ?? start.flow.wfType
  const isDefault = Form.useWatch('isDefault', form.form) as string | undefined
  const steps = (Form.useWatch('steps', form.form) as EditorStep[] | undefined) ?? []
  const check = useVerdict(start.flow.wfId ?? undefined)
  const onValuesChange = (changed: Values) => {
    if ('wfType' in changed) form.form.setFieldsValue({ steps: steps.filter(({ wfsNodeName }) => nodesFor(changed['wfType'] as FlowType).includes(wfsNodeName)), lsIds: [] })
    check.forget()
    form.onValuesChange(changed)
  }
  const facts = mode === 'edit' ? `第 ${start.flow.wfVersion} 版${start.runningCount > 0 ? `，${start.runningCount} 个审批正在按此前的版本运行` : ''}` : '带 * 为必填项'

  return (
    <div className="page flow-page">
      <PageHead title={title} facts={facts} />
      <div className="flow-columns">
        <div className="card form-card">
          <Form form={form.form} layout="vertical" initialValues={initial} onValuesChange={onValuesChange} validateTrigger="onBlur" className="form-body" scrollToFirstError={false}>
            <FormScope schema={flowForm}>
              <FormSection title="基本信息">
                <TextField name="wfName" span={7} />
                <SelectField name="wfcId" span={5} options={start.categories.map(({ wfcId, wfcName }) => ({ value: wfcId, label: wfcName }))} />
                <DictField name="wfType" type="wf_type" span={6} open disabled={mode === 'edit'} help={mode === 'edit' ? '流程类型不能修改' : undefined} />
                <SwitchField name="isDefault" span={3} help="其他流程都不适用时采用" />
                <SwitchField name="wfStatus" span={3} onText="启用" offText="停用" />
                <FlowIconField />
                <AreaField name="wfDesc" rows={2} />
              </FormSection>
              <FormSection title="适用范围" hint={isDefault === '1' ? undefined : '不选表示全部。多个流程都适用时，依次以指定角色、更下级的课程体系、指定级别的流程为准。'}>
                {isDefault === '1' ? <Alert className="flow-note" type="info" showIcon title="默认流程不限范围：其他启用的流程都不适用时采用。" /> : <Ranges start={start} wfType={wfType} />}
              </FormSection>
              <FormSection title="审批步骤" hint="同一环节内的步骤依次进行。选中步骤后可用 Alt + ↑↓ 调整顺序、回车编辑。">
                <StepsField wfType={wfType} />
              </FormSection>
            </FormScope>
          </Form>
          <div className="form-foot">
            <Button onClick={() => tab.close(home)}>取消</Button>
            <LockButton icon={<SafetyCertificateOutlined />} loading={check.isSending} onClick={() => void check.run(form.form.getFieldsValue(true) as FlowValues)}>校验</LockButton>
            <LockButton type="primary" loading={form.isSending} {...{ 'authority-type': workflowApi.save.permit }} onClick={() => form.submit()}>保存</LockButton>
          </div>
        </div>
        <aside className="card flow-side" tabIndex={0} aria-label="流程图与校验结果">
          {check.verdict && <VerdictPanel verdict={check.verdict} />}
          <h2>流程图</h2>
          <FlowDiagram wfType={wfType} steps={steps} />
        </aside>
      </div>
    </div>
  )
}

function Ranges({ start, wfType }: { start: FlowStart; wfType: FlowType }) {
  return (
    <>
      <SelectField name="roleIds" span={6} multiple options={start.roles.map(({ id, name }) => ({ value: id, label: name }))} placeholder="全部角色" help="发起人的角色" />
      <SelectField name="levels" span={6} multiple options={start.levels.map(({ id, name }) => ({ value: id, label: name }))} placeholder="全部级别" />
      <TreeField name="lsIds" multiple tree={rangeTree(start.classes, wfType)} placeholder="全部课程体系" help="选择上级即包含其下级" />
    </>
  )
}

/** Asks the service to check the flow as it stands; the answer is dropped as soon as something changes. */
function useVerdict(wfId: string | undefined) {
  const { send, isSending } = useSend(workflowApi.validate)
  const [verdict, setVerdict] = useState<FlowVerdict>()
  const run = async ({ wfType, isDefault, roleIds, lsIds, levels, steps }: FlowValues) => {
    if (steps.length === 0) return notify('warning', '请至少添加一个步骤')
    const input = { wfType, isDefault, roleIds, classIds: lsIds, levelIds: levels, steps: stepsInput(steps) as never, ...(wfId && { wfId }) }
    setVerdict(await send(input).catch(() => undefined))
  }
  return { verdict, isSending, run, forget: () => setVerdict(undefined) }
}
