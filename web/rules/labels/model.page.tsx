import { Alert, Button, Form } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import type { Input, Output } from '../../../contract/core/call.ts'
import { modelApi, modelLabels, modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { startAction } from '../../core/action/action-dialog.tsx'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { Field, FormScope } from '../../core/form/form-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { RemoteSelect } from '../../core/parts/remote-select.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useRecordForm } from '../../core/form/use-record-form.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { ModelRadar, type ModelRow } from './model-radar.tsx'
import { maxFitting, ModelRows, suggested } from './model-rows.tsx'
import './model.css'
import { amountText } from '../../core/service/figure.ts'

type Model = Output<typeof modelApi.list>
/** How many labels a first model is filled with. */
const atFirst = 8

const remove = actionOn<Model>()({
  label: '删除模型',
  call: modelApi.del,
  isDanger: true,
  question: () => '确认删除素质模型？',
  confirm: '删除后，成绩单的雷达图恢复为按标签或分组自动显示。',
  input: ([model]) => ({ version: model!.version }),
})

/**
 * The school's quality model: which labels its radar shows, in what order and up to what score, with a student to look
 * at beside it.
 */
export function ModelPage() {
  const { data } = useCall(modelApi.list, {})
  // for the editor: asked for beside the model, not after it
  usePreview()
  const [kept, setKept] = useState<Model>()
  const [isDirty, setDirty] = useState(false)
  const [round, setRound] = useState(0)
  // what somebody else saves meanwhile must not overwrite what is being changed
  if (data && data !== kept && !isDirty) setKept(data)
  const begin = () => {
    setDirty(false)
    setKept(data)
    setRound(round + 1)
  }
  if (!kept)
    return (
      <div className="page">
        <PageHead title="素质模型" />
        <div className="card model-wait">
          <ReadSkeleton paragraph={{ rows: 10 }} />
        </div>
      </div>
    )
  return (
    <ModelEditor
      key={`${kept.version}:${round}`}
      model={kept}
      isOld={data !== undefined && data.version !== kept.version}
      onDirty={setDirty}
      onBegin={begin}
    />
  )
}

/** The student looked at beside the model, if there is one, and their scores with those of the school. */
function usePreview() {
  const [query] = useAddress()
  const may = usePermission()
  const suId = query.get('suId') ?? undefined
  const { data: preview } = useCall(
    modelPreviewApi.preview,
    { ...(suId && { suId }) },
    { enabled: may(modelPreviewApi.preview), keepPrevious: true, staleTime: 60_000 },
  )
  return { suId, preview }
}

interface EditorProps {
  model: Model
  /** Somebody else has saved since. */
  isOld: boolean
  onDirty: (isDirty: boolean) => void
  /** Gives up what was changed and begins with what is saved now. */
  onBegin: () => void
}

function ModelEditor({ model, isOld, onDirty, onBegin }: EditorProps) {
  const [, changeAddress] = useAddress()
  const may = usePermission()
  const canEdit = may(modelApi.addList)
  const initial = useMemo(() => ({ list: model.list.map((row): ModelRow => ({ ...row })) }), [model])
  const form = useRecordForm({
    call: modelApi.addList,
    initial,
    input: ({ list }) => ({ version: model.version, list: (list ?? []) as Input<typeof modelApi.addList>['list'] }),
    onDone: () => notify('success', '保存成功'),
  })
  useEffect(() => onDirty(form.isDirty), [form.isDirty, onDirty])
  const rows = (Form.useWatch('list', form.form) as ModelRow[] | undefined) ?? initial.list
  const { suId, preview } = usePreview()
  const change = (next: ModelRow[]) => form.fill({ list: next })
  const fit = () =>
    change(rows.map((row) => ({ ...row, max: maxFitting(preview?.scores, row.sqlId) ?? row.max ?? '' })))
  return (
    <div className="page">
      <PageHead
        title="素质模型"
        facts={
          model.version === 0
            ? '尚未设置：成绩单的雷达图按标签或分组自动显示'
            : `雷达图显示 ${model.list.length} 个标签，${model.updateName} 于 ${model.updateTime} 保存`
        }
        tools={
          <>
            {model.version > 0 && (
              <ActionButton to={modelApi.del} danger onClick={() => startAction(remove, [model], () => '素质模型')}>
                删除模型
              </ActionButton>
            )}
            {canEdit && (
              <Button disabled={!form.isDirty} onClick={onBegin}>
                放弃修改
              </Button>
            )}
            <ActionButton to={modelApi.addList} primary loading={form.isSending} onClick={() => form.submit()}>
              保存
            </ActionButton>
          </>
        }
      />
      {isOld && (
        <Alert
          type="warning"
          showIcon
          title="素质模型已被他人修改"
          description="您的修改不能再保存。请记下要改的内容，放弃修改后在最新的模型上重新修改。"
          action={
            <Button size="small" onClick={onBegin}>
              载入最新模型
            </Button>
          }
        />
      )}
      <div className="model-columns">
        <div className="card model-card">
          <header>
            <h2>标签与满分</h2>
            <small>
              已选 {rows.length} 个，须为 {modelLabels.min}–{modelLabels.max} 个
            </small>
          </header>
          <p className="model-hint">
            成绩单与统计的雷达图按此处的标签、顺序和满分绘制；满分是雷达图外圈代表的分数，可参考全校平均和前 10%
            学生的得分。
          </p>
          <ScopedForm
            form={form.form}
            layout="vertical"
            initialValues={initial}
            onValuesChange={form.onValuesChange}
            validateTrigger={[]}
            scrollToFirstError={false}
          >
            <FormScope schema={modelApi.addList.input}>
              <Field name="list" label="">
                <ModelRows labels={model.labels} scores={preview?.scores} canEdit={canEdit} />
              </Field>
            </FormScope>
          </ScopedForm>
          {canEdit && (
            <div className="model-tools">
              {rows.length === 0 && (
                <Button onClick={() => change(suggested(model.labels, preview?.scores, atFirst))}>
                  填入全校得分最多的 {Math.min(atFirst, model.labels.length)} 个标签
                </Button>
              )}
              {rows.length > 0 && preview && <Button onClick={fit}>按全校得分调整满分</Button>}
            </div>
          )}
        </div>
        <div className="card model-card">
          {may(modelPreviewApi.preview) ? (
            <>
              <label className="model-student" htmlFor="model-student">
                <span>预览学生</span>
                <RemoteSelect
                  id="model-student"
                  call={transcriptApi.list}
                  input={(word) => ({ ...(word && { search: word }), pageSize: 20 })}
                  options={({ records }) =>
                    records.map((one) => ({
                      value: one.suId,
                      label: `${one.suiName}（${one.suiNumber}）`,
                      hint: `${amountText(one.totalHours)} 学时`,
                    }))
                  }
                  known={
                    preview?.student
                      ? [
                          {
                            value: preview.student.suId,
                            label: `${preview.student.suiName}（${preview.student.suiNumber}）`,
                          },
                        ]
                      : []
                  }
                  value={suId ?? null}
                  onChange={(value) =>
                    changeAddress(withParams({ suId: value ? String(value) : undefined }), { replace: true })
                  }
                  placeholder="输入姓名或学号，与年级、全校平均对比"
                />
              </label>
              <ModelRadar rows={rows} labels={model.labels} preview={preview} />
            </>
          ) : (
            <ModelRadar
              rows={rows}
              labels={model.labels}
              preview={{ student: null, gradePeople: 0, schoolPeople: 0, scores: [] }}
            />
          )}
        </div>
      </div>
    </div>
  )
}
