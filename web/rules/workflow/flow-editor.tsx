import { figure } from '../../core/service/figure.ts'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import { Alert, Button, Form } from 'antd'
import { useRef, useState } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { flowForm, type FlowType, type FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { AreaField, DictionaryField, SelectField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { useDraftOffer } from '../../core/form/draft-offer.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { LeaveButton } from '../../core/screen/leave-button.tsx'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { defaultsOf } from '../../core/service/schema.ts'
import { useTab } from '../../core/service/tab.ts'
import { TreeField } from '../../core/form/tree-fields.tsx'
import { useRecordForm, type Values } from '../../core/form/use-record-form.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { FlowDiagram } from './flow-diagram.tsx'
import { FlowIconField } from './flow-icons.tsx'
import {
  flowInput,
  formOf,
  nodesFor,
  rangeTree,
  type EditorStep,
  type FlowStart,
  type FlowValues,
} from './flow-form.ts'
import { confirmedSamples, useSaveQuestion, type FlowInput } from './save-question.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { StepsField } from './steps-field.tsx'
import { StopImpact } from './stop-impact.tsx'
import { useVerdict } from './use-verdict.ts'
import { ConflictText, VerdictPanel } from './verdict-panel.tsx'
import { VersionDrawer } from './version-drawer.tsx'

interface EditorProps {
  title: string
  start: FlowStart
  mode: 'add' | 'edit' | 'clone'
  fromWfId?: string
  /** Fetches the flow anew, when somebody else has saved it meanwhile. */
  onReload?: () => void
}

/** The one editor of flows: facts, ranges and steps at the left, what the check found and the picture at the right. */
export function FlowEditor({ title, start, mode, fromWfId, onReload }: EditorProps) {
  const tab = useTab()
  const [initial] = useState(() => formOf(start))
  const [isStale, setStale] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const side = useRef<HTMLElement>(null)
  const wished = useRef('1')
  const setAside = useRef<{ steps: EditorStep[]; lsIds: Partial<Record<FlowType, string[]>> }>({ steps: [], lsIds: {} })
  const isDraft = start.flow.wfStatus === flowStatus.draft
  const { saveConfirmed, confirmRefused, question } = useSaveQuestion(mode === 'edit' ? start.flow : undefined)
  // a new flow that was opened for some cases is a work of its own
  const [newName] = useState(
    () => `new${JSON.stringify([start.flow.wfType, start.flow.roleIds, start.flow.lsIds, start.flow.levels])}`,
  )
  const draft = `flow:${mode === 'edit' ? start.flow.wfId! : mode === 'clone' ? `copy-${fromWfId}` : newName}`
  const form = useRecordForm({
    draft,
    call: mode === 'clone' ? workflowApi.addClone : workflowApi.save,
    initial,
    input: (values: Values) => {
      const { wfId, version } = start.flow
      return {
        ...flowInput(values as unknown as FlowValues),
        ...confirmedSamples(values),
        ...(mode === 'clone' ? { fromWfId: fromWfId! } : mode === 'edit' ? { wfId: wfId!, version } : {}),
      } as never
    },
    confirm: (wanted) => saveConfirmed(wanted as FlowInput, live.verdict),
    onDone: ({ wfVersion }, { wfStatus }) => {
      const state =
        wfStatus === flowStatus.draft
          ? '草稿已保存'
          : mode === 'edit'
            ? `已保存为第 ${wfVersion} 版，运行中的审批不受影响`
            : '流程已新增'
      notify('success', state)
      tab.close(flowPaths.list)
    },
    onFailed: (error) => {
      setStale(error.reason === 'stale-version')
      confirmRefused(error, (sure) => form.submit({ wfStatus: wished.current, ...sure }))
    },
  })
  const offer = useDraftOffer(draft, { version: start.flow.version, onTake: form.fill })
  const leave = () => {
    form.discard()
    tab.close(flowPaths.list)
  }
  const values = Form.useWatch([], form.form) as unknown as Partial<FlowValues> | undefined
  const now: FlowValues = { ...(initial as unknown as FlowValues), ...values }
  const { wfType, isDefault, steps } = now
  const live = useVerdict(now, start.flow.wfId ?? undefined)
  const isStopped =
    mode === 'edit' && start.flow.wfStatus === flowStatus.enabled && now.wfStatus !== start.flow.wfStatus
  /** What the other type has no place for is set aside, and put back when the person changes back. */
  const turnTo = (type: FlowType) => {
    const { lsIds } = setAside.current
    const all = [...(form.form.getFieldValue('steps') as EditorStep[]), ...setAside.current.steps]
    const fits = ({ wfsNodeName }: EditorStep) => nodesFor(type).includes(wfsNodeName)
    setAside.current = {
      steps: all.filter((step) => !fits(step)),
      lsIds: { ...lsIds, [wfType]: form.form.getFieldValue('lsIds') as string[] },
    }
    form.form.setFieldsValue({ steps: all.filter(fits), lsIds: lsIds[type] ?? [] })
  }
  const onValuesChange = (changed: Values) => {
    if ('wfType' in changed) turnTo(changed['wfType'] as FlowType)
    form.onValuesChange(changed)
  }
  const save = async (wfStatus: string) => {
    wished.current = wfStatus
    await form.submit({ wfStatus })
  }
  const check = () => {
    live.check()
    side.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }
  const running =
    start.runningCount > 0 ? `，${figure(start.runningCount)} 个审批正在按启动时的版本运行，不受修改影响` : ''
  const facts = mode === 'edit' ? `${isDraft ? '草稿' : `第 ${start.flow.wfVersion} 版`}${running}` : '带 * 为必填项'

  return (
    <div className="page flow-page">
      <PageHead
        title={title}
        facts={facts}
        tools={
          mode === 'edit' && (
            <Button icon={<HistoryOutlined />} onClick={() => setShowsVersions(true)}>
              历史版本
            </Button>
          )
        }
      />
      {isStale && <StaleNotice onReload={onReload} />}
      <div className="flow-columns">
        <div className="card form-card">
          {offer}
          <ScopedForm
            form={form.form}
            layout="vertical"
            initialValues={{ ...defaultsOf(flowForm), ...initial }}
            onValuesChange={onValuesChange}
            validateTrigger="onBlur"
            className="form-body"
            scrollToFirstError={false}
          >
            <FormScope schema={flowForm}>
              <FormSection title="基本信息">
                <TextField name="wfName" span={7} />
                <SelectField
                  name="wfcId"
                  span={5}
                  options={start.categories.map(({ wfcId, wfcName }) => ({ value: wfcId, label: wfcName }))}
                />
                <DictionaryField
                  name="wfType"
                  type="wf_type"
                  span={6}
                  open
                  disabled={mode === 'edit'}
                  help={mode === 'edit' ? '流程类型不能修改' : undefined}
                />
                <SwitchField name="isDefault" span={3} help="其他流程都不适用时采用" />
                {mode === 'edit' && !isDraft && <SwitchField name="wfStatus" span={3} onText="启用" offText="停用" />}
                {isStopped && <StopImpact wfIds={[start.flow.wfId!]} />}
                <FlowIconField />
                <AreaField name="wfDesc" rows={2} />
              </FormSection>
              <FormSection
                title="适用范围"
                hint={
                  isDefault === yesNo.yes
                    ? undefined
                    : '不选表示全部。多个流程都适用时，依次以指定角色、更下级的课程体系、指定级别的流程为准。'
                }
              >
                {isDefault === yesNo.yes ? (
                  <Alert
                    className="flow-note"
                    type="info"
                    showIcon
                    title="默认流程不限范围：其他启用的流程都不适用时采用。"
                  />
                ) : (
                  <Ranges start={start} wfType={wfType} />
                )}
                <Conflicts conflicts={live.verdict?.conflicts ?? []} />
              </FormSection>
              <FormSection
                title="审批步骤"
                hint="同一环节内的步骤依次进行，可拖动排序。选中步骤后可用 Alt + ↑↓ 调整顺序、回车编辑。"
              >
                <SwitchField
                  name="selfPass"
                  help="发起人也是该步骤审批人时，其本人的部分自动通过；每个环节的最后一步除外，须由他人审批"
                />
                <StepsField wfType={wfType} roles={start.roles} troubles={live.troubles} />
              </FormSection>
            </FormScope>
          </ScopedForm>
          <div className="form-foot">
            <LeaveButton isDirty={form.isDirty} onLeave={leave} />
            <Button icon={<SafetyCertificateOutlined />} onClick={check}>
              校验
            </Button>
            {(mode !== 'edit' || isDraft) && (
              <LockButton
                loading={form.isSending}
                {...{ 'authority-type': workflowApi.save.permit }}
                onClick={() => void save(flowStatus.draft)}
              >
                存为草稿
              </LockButton>
            )}
            <LockButton
              type="primary"
              loading={form.isSending}
              {...{ 'authority-type': workflowApi.save.permit }}
              onClick={() => void save(mode === 'edit' && !isDraft ? now.wfStatus : flowStatus.enabled)}
            >
              {isDraft && mode === 'edit' ? '保存并启用' : '保存'}
            </LockButton>
          </div>
        </div>
        <aside ref={side} className="card flow-side" tabIndex={0} aria-label="流程图与校验结果">
          {live.verdict && (
            <VerdictPanel verdict={live.verdict} unfinished={live.unfinished} isChecking={live.isChecking} />
          )}
          <h2>流程图</h2>
          <FlowDiagram wfType={wfType} steps={steps} roles={start.roles} troubles={live.troubles} />
        </aside>
      </div>
      {showsVersions && (
        <VersionDrawer wfId={start.flow.wfId!} wfType={wfType} onClose={() => setShowsVersions(false)} />
      )}
      {question}
    </div>
  )
}

function Ranges({ start, wfType }: { start: FlowStart; wfType: FlowType }) {
  return (
    <>
      <SelectField
        name="roleIds"
        span={6}
        multiple
        options={start.roles.map(({ id, name }) => ({ value: id, label: name }))}
        placeholder="全部角色"
        help="发起人的角色"
      />
      <SelectField
        name="levels"
        span={6}
        multiple
        options={start.levels.map(({ id, name }) => ({ value: id, label: name }))}
        placeholder="全部级别"
      />
      <TreeField
        name="lsIds"
        multiple
        tree={rangeTree(start.classes, wfType)}
        placeholder="全部课程体系"
        help="选择上级即包含其下级"
      />
      <SwitchField name="needCreditOnly" help="开启后，不授予学分的申请不适用本流程" />
    </>
  )
}

/** Which flows hold for the same cases, beside the ranges that make it so. */
function Conflicts({ conflicts }: { conflicts: FlowVerdict['conflicts'] }) {
  if (conflicts.length === 0) return null
  const shown = conflicts.slice(0, 5)
  return (
    <Alert
      className="flow-note"
      type="error"
      showIcon
      title={`与其他流程的适用范围重叠（${conflicts.length} 处），启用前请调整`}
      description={
        <ul>
          {shown.map((one) => (
            <li key={`${one.wfId}${one.role}${one.class}${one.level}`}>
              <ConflictText conflict={one} />
            </li>
          ))}
          {conflicts.length > shown.length && <li>其余 {conflicts.length - shown.length} 处见校验结果</li>}
        </ul>
      }
    />
  )
}
