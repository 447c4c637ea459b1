import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import { Form } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { curriculumType, flowType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { AmountField, DictionaryField, SelectField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { FormScope } from '../../core/form/form-field.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../../shared/people/person-field.tsx'
import { SampleTable } from './sample-table.tsx'
import { TrialResult } from './trial-result.tsx'
import './sandbox.css'

type Case = Input<typeof trialApi.sandbox>

const minutes = 5 * 60_000
/**
 * The fields of a case with their names in the address, where a name in `Id` would mean a record with a tab of its own.
 */
const fields = [
  ['wfType', 'type'],
  ['suId', 'who'],
  ['lsId', 'system'],
  ['liLevel', 'level'],
  ['credit', 'credit'],
] as const
const toTree = ({ lsId, lsName, children }: CurriculumNode): TreeNode => ({
  value: lsId,
  label: lsName,
  ...(children.length > 0 && { children: children.map(toTree) }),
})

/**
 * Tries a case out before anybody submits it: which flow applies and why, who would be asked, what would block; and the
 * cases that are watched.
 */
export function SandboxPage() {
  const [query, setQuery] = useSearchParams()
  const [isNaming, setNaming] = useState(false)
  const [form] = Form.useForm<Case>()
  const tried = caseOf(query)
  const { data, isFetching } = useCall(trialApi.sandbox, tried as Case, { enabled: tried !== undefined })
  const wfType = Form.useWatch<string | undefined>('wfType', form) ?? query.get('type') ?? flowType.lesson
  const { data: nodes = [] } = useCall(
    curriculumApi.all,
    {
      lsType: wfType === flowType.supplement ? curriculumType.supplements : curriculumType.lessons,
      enable: enableStatus.enabled,
    },
    { staleTime: minutes },
  )
  const { data: levels = [] } = useCall(curriculumApi.levels, {}, { staleTime: minutes })
  const run = (values: Case) =>
    setQuery(
      Object.fromEntries(fields.flatMap(([name, param]) => (values[name] ? [[param, String(values[name])]] : []))),
    )
  const start = async () => {
    const values = await form.validateFields().catch(() => undefined)
    if (values) run(values)
  }
  const show = (one: Case) => {
    form.setFieldsValue(one)
    run(one)
  }
  return (
    <div className="page">
      <PageHead title="流程沙盘" facts="选择发起人与范围，查看实际会采用的流程、审批人和时限；不会产生任何审批" />
      <div className="sandbox">
        <section className="card sandbox-case" aria-label="申请">
          <ScopedForm
            form={form}
            layout="vertical"
            className="form-grid"
            initialValues={{
              wfType: flowType.lesson,
              ...Object.fromEntries(
                fields.flatMap(([name, param]) => (query.get(param) ? [[name, query.get(param)!]] : [])),
              ),
            }}
            validateTrigger="onBlur"
            scrollToFirstError={false}
          >
            <FormScope schema={trialApi.sandbox.input}>
              <DictionaryField name="wfType" type="wf_type" open />
              <PersonField name="suId" known={data ? [data.initiator] : []} />
              <TreeField name="lsId" tree={nodes.map(toTree)} />
              <SelectField
                name="liLevel"
                span={6}
                options={levels.map(({ llId, llName }) => ({ value: llId, label: llName }))}
              />
              <AmountField name="credit" span={6} unit="学分" placeholder="0" help="0 表示不授予学分" />
            </FormScope>
          </ScopedForm>
          <ActionButton
            to={trialApi.sandbox}
            primary
            icon={<PlayCircleOutlined />}
            loading={isFetching}
            onClick={() => void start()}
          >
            试运行
          </ActionButton>
          {tried && data?.flow && (
            <ActionButton to={trialApi.saveSample} onClick={() => setNaming(true)}>
              存为样例
            </ActionButton>
          )}
        </section>
        <section className="card sandbox-result" aria-label="结果" aria-busy={isFetching}>
          {data && tried ? (
            <TrialResult trial={data} wfType={tried.wfType} />
          ) : (
            <EmptyState text="填写左侧内容后试运行" hint="也可从下方样例中选择一个查看。" />
          )}
        </section>
      </div>
      <SampleTable onShow={show} />
      {isNaming && tried && (
        <DialogForm
          call={trialApi.saveSample}
          title="存为样例"
          width={440}
          initial={{ ...tried, wsName: '' }}
          doneText="样例已保存"
          onClose={() => setNaming(false)}
        >
          <p className="dialog-note">保存该申请及其当前结果。以后修改任何流程，只要会使结果改变，都会在保存前提示。</p>
          <TextField name="wsName" placeholder="如：指导老师发起校级讲座" />
        </DialogForm>
      )}
    </div>
  )
}

/** The case that the address tells, if it tells a whole one. */
function caseOf(query: URLSearchParams): Case | undefined {
  const [suId, lsId, liLevel] = ['who', 'system', 'level'].map((name) => query.get(name) ?? '')
  if (!suId || !lsId || !liLevel) return undefined
  return {
    wfType: query.get('type') === flowType.supplement ? flowType.supplement : flowType.lesson,
    suId,
    lsId,
    liLevel,
    credit: query.get('credit') ?? '0',
  }
}
