import { InputNumber, Select } from 'antd'
import { useMemo } from 'react'
import { personType } from '../../../contract/core/codes/school.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { DictionaryField, SelectField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { RowEditor, type EditColumn } from '../../core/parts/row-editor.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField } from '../../shared/people/person-field.tsx'
import { useColleges, useGrades } from './lesson-choices.ts'
import { figure } from '../../core/service/figure.ts'

/**
 * For whom a course is, how its places are shared out and where people sign in: the same fields in the form of a course
 * and, once it runs, beside its participants.
 */

/** For whom a course is. */
export function RangeFields({ lesson }: { lesson: LessonDetail | undefined }) {
  const trees = usePlaces()
  const { data: circles = [] } = useCall(circleApi.options, {}, { staleTime: 60_000 })
  const kept = (lesson?.rangeCircles ?? []).filter(({ id }) => !circles.some(({ ciId }) => ciId === id))
  const circleChoices = [
    ...kept.map(({ id, name }) => ({ value: id, label: name })),
    ...circles.map(({ ciId, ciName }) => ({ value: ciId, label: ciName })),
  ]
  return (
    <>
      <SelectField name="rangeColleges" label="限定学院" span={6} options={useColleges()} multiple placeholder="不限" />
      <SelectField name="rangeGrades" label="限定年级" span={6} options={useGrades()} multiple placeholder="不限" />
      <MajorsAndClasses trees={trees} />
      {circleChoices.length > 0 && (
        <SelectField
          name="rangeCircles"
          label="限定圈子"
          span={6}
          options={circleChoices}
          multiple
          placeholder="不限"
        />
      )}
      <DictionaryField
        name="rangePolitical"
        label="限定政治面貌"
        span={6}
        type="political"
        multiple
        placeholder="不限"
      />
      <DictionaryField name="rangeSexes" label="限定性别" span={6} type="sex" multiple placeholder="不限" />
    </>
  )
}

/** Majors and classes; all that is chosen here and elsewhere has to fit. */
export function MajorsAndClasses({ trees, isFixed = false }: { trees: Places; isFixed?: boolean }) {
  return (
    <>
      <TreeField
        name="rangeMajors"
        label="限定专业"
        tree={trees.majors}
        multiple
        leavesOnly
        span={6}
        disabled={isFixed}
        placeholder="不限专业"
      />
      <TreeField
        name="rangeClasses"
        label="限定班级"
        tree={trees.classes}
        multiple
        leavesOnly
        span={6}
        disabled={isFixed}
        placeholder="不限班级"
        help={isFixed ? '已经审批，请在“编辑”中修改并提交变更审批' : '各项范围须同时满足才能报名'}
      />
    </>
  )
}

interface CollegeRow {
  scId?: string
  quota?: number | null
}

/** How the places are shared out among colleges. @param admitted how many of each have one already */
export function CollegePlaces({ quota, admitted }: { quota?: number | undefined; admitted?: Map<string, number> }) {
  const colleges = useColleges()
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
      cell: ({ quota: places }, set, at) => (
        <InputNumber
          aria-label={`第 ${at + 1} 行名额`}
          className="wide"
          value={places}
          min={0}
          max={100_000}
          precision={0}
          onChange={(value) => set({ quota: value })}
        />
      ),
    },
    ...(admitted
      ? [
          {
            title: '已录取',
            width: 76,
            cell: ({ scId }: CollegeRow) => <span className="figures">{(scId && admitted.get(scId)) ?? '—'}</span>,
          },
        ]
      : []),
  ]
  return (
    <Field
      name="quotaByCollege"
      label="学院名额"
      span={12}
      help={`${quota ? `总名额 ${figure(quota)} 人；` : ''}列出的学院各自不超过其名额，未列出的学院只受总名额限制。`}
    >
      <RowEditor<CollegeRow>
        columns={columns}
        blank={() => ({})}
        addText="添加学院"
        max={200}
        empty="各学院共用总名额"
      />
    </Field>
  )
}

/** Students who have a place from the publication on. */
export function Reserved({ lesson }: { lesson: LessonDetail | undefined }) {
  return (
    <PersonField
      name="reservedIds"
      suiType={personType.student}
      multiple
      max={200}
      known={lesson?.reservedIds}
      help="发布时直接录取并占用名额，不必报名；仍须符合报名范围与时间要求"
    />
  )
}

export interface Places {
  majors: TreeNode[]
  classes: TreeNode[]
}

/** Colleges with their majors, and those with their classes, to choose from. */
export function usePlaces(): Places {
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
