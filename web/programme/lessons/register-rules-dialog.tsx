import { InputNumber, Select } from 'antd'
import { useMemo } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { signType } from '../../../contract/core/codes/programme.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useColleges } from '../../shared/organisation/places.tsx'

interface CollegeRow {
  scId?: string
  quota?: number | null
}

/**
 * For whom a course is beyond college and grade, how its places are shared out among colleges, and where people sign
 * in.
 */
export function RegisterRulesDialog({
  lesson: { liId, liName },
  onClose,
}: {
  lesson: LessonDetail
  onClose: () => void
}) {
  const { data: rules } = useCall(admissionApi.rules, { liId }, { staleTime: 0 })
  const colleges = useColleges()
  const trees = usePlaces()
  const initial = useMemo(
    () =>
      rules && {
        version: rules.version,
        rangeMajors: rules.rangeMajors.map(({ id }) => id),
        rangeClasses: rules.rangeClasses.map(({ id }) => id),
        quotaByCollege: rules.quotaByCollege.map(({ scId, quota }) => ({ scId, quota })),
        signLng: rules.signLng ?? undefined,
        signLat: rules.signLat ?? undefined,
        signRadius: rules.signRadius ?? undefined,
      },
    [rules],
  )
  const admitted = new Map(rules?.quotaByCollege.map((row) => [row.scId, row.admitted]))
  const columns: EditColumn<CollegeRow>[] = [
    {
      title: '学院',
      cell: ({ scId }, set, at) => (
        <Select
          aria-label={`第 ${at + 1} 行学院`}
          className="wide"
          value={scId}
          options={colleges}
          placeholder="请选择"
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(value: string) => set({ scId: value })}
        />
      ),
    },
    {
      title: '名额',
      width: 130,
      cell: ({ quota }, set, at) => (
        <InputNumber
          aria-label={`第 ${at + 1} 行名额`}
          className="wide"
          value={quota}
          min={0}
          max={100_000}
          precision={0}
          onChange={(value) => set({ quota: value })}
        />
      ),
    },
    {
      title: '已录取',
      width: 76,
      cell: ({ scId }) => <span className="figures">{(scId && admitted.get(scId)) ?? '—'}</span>,
    },
  ]
  const isFixed = rules ? !rules.rangeOpen : true
  return (
    <DialogForm
      title={`报名与签到设置：${liName}`}
      call={admissionApi.saveRules}
      width={640}
      isLoading={!initial}
      initial={initial}
      input={(values) => ({
        ...(values as unknown as Input<typeof admissionApi.saveRules>),
        liId,
        quotaByCollege: ((values['quotaByCollege'] ?? []) as CollegeRow[]).map(({ scId, quota }) => ({
          scId: scId ?? '',
          quota: quota ?? '',
        })),
      })}
      onClose={onClose}
    >
      <TreeField
        name="rangeMajors"
        label="限定专业"
        tree={trees.majors}
        multiple
        leavesOnly
        span={12}
        disabled={isFixed}
        placeholder="不限专业"
      />
      <TreeField
        name="rangeClasses"
        label="限定班级"
        tree={trees.classes}
        multiple
        leavesOnly
        span={12}
        disabled={isFixed}
        placeholder="不限班级"
        help={
          isFixed
            ? '报名范围经审批后不能修改；与可报名学院、年级同时满足才能报名。'
            : '与可报名学院、年级同时满足才能报名；不选为不限。'
        }
      />
      <Field
        name="quotaByCollege"
        label="学院名额"
        span={12}
        help={`总名额 ${rules?.quota ?? ''} 人；列出的学院各自不超过其名额，未列出的学院只受总名额限制。`}
      >
        <RowEditor<CollegeRow>
          columns={columns}
          blank={() => ({})}
          addText="添加学院"
          max={200}
          empty="各学院共用总名额"
        />
      </Field>
      <TextField name="signLng" label="活动地点经度" span={4} placeholder="如 117.227239" />
      <TextField name="signLat" label="活动地点纬度" span={4} placeholder="如 31.820587" />
      <NumberField
        name="signRadius"
        label="签到距离"
        unit="米"
        span={4}
        placeholder="按学校规则"
        help={rules?.signType.includes(signType.location) ? undefined : '本课程未启用定位签到，填写后暂不检查'}
      />
    </DialogForm>
  )
}

/** Colleges with their majors, and those with their classes, to choose from. */
function usePlaces(): { majors: TreeNode[]; classes: TreeNode[] } {
  const { data = [] } = useCall(collegeApi.tree, {}, { staleTime: 5 * 60_000 })
  return useMemo(() => {
    const node = ({ id, name }: { id: string; name: string }, children?: TreeNode[]): TreeNode => ({
      value: id,
      label: name,
      ...(children && { children }),
    })
    const majors = data.map((college) =>
      node(
        college,
        college.children.map((major) => node(major)),
      ),
    )
    const classes = data.map((college) =>
      node(
        college,
        college.children.map((major) =>
          node(
            major,
            major.children.map((one) => node(one)),
          ),
        ),
      ),
    )
    return { majors, classes }
  }, [data])
}
