import { Link, useSearchParams } from 'react-router'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { CircleDetail } from '../../../contract/programme/circles/circles.schema.ts'
import { circleAuthStatus, circleJoinMode, circleLevel, circleStatus } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { AreaField, DictionaryField, NumberField, SelectField, TextField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { TreeField } from '../../core/form/tree-fields.tsx'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import type { Values } from '../../core/form/use-record-form.ts'
import { useDepartmentTree } from '../../shared/organisation/department-filter.tsx'
import { MembersField, StudentField, TeachersField } from './circle-people.tsx'
import {
  circlePaths,
  CircleStatus,
  useCircleClassReading,
  useCircleColleges,
} from '../../shared/circles/circle-parts.tsx'

const blank: Values = {
  ciLevel: circleLevel.school,
  joinMode: circleJoinMode.reviewed,
  imgList: [],
  teacherIds: [],
  personIds: [],
}
/** More members than a form can send: those circles keep them through their member list. */
const maxInForm = 1000

const valuesOf = (circle: CircleDetail): Values => ({
  ...circle,
  charterFile: circle.charter?.id,
  teacherIds: circle.teachers.map(({ suId }) => suId),
  personIds: circle.memberCount > maxInForm ? undefined : circle.persons.map(({ suId }) => suId),
})

/** Why a circle cannot be edited now, and what to do; undefined where it can. */
function closedTo({ can, ciAuthStatus, ciStatus }: CircleDetail): string | undefined {
  if (can.includes('edit')) return undefined
  if (ciAuthStatus === circleAuthStatus.pending) return '该圈子正在审核，审核结束后才能编辑；需要修改时请联系审核人驳回'
  return ciStatus === circleStatus.dissolved ? '该圈子已注销，不能编辑' : '您不能编辑该圈子，请联系其负责人或指导老师'
}

/** Every circle is of a kind: without any there is nothing to choose, and nothing could be saved. */
const noClasses = '还没有圈子分类，请先在“圈子分类”中添加'

/** One form for new circles and for edits: an id in the address selects update, none create. */
export function CircleFormPage() {
  const [query] = useSearchParams()
  const ciId = query.get('ciId') ?? undefined
  const { close } = useTab()
  const { data: circle, ...reading } = useInitialData(circleApi.detail, ciId, (id) => ({ ciId: id }))
  const { classes, ...classReading } = useCircleClassReading()
  const colleges = useCircleColleges()
  const departments = useDepartmentTree() ?? []
  useTabTitle(circle && `编辑 ${circle.ciName}`)
  const done = (saved: string, ciAuthStatus: string) => {
    notify('success', ciAuthStatus === circleAuthStatus.pending ? '已提交成立申请，请等待圈子管理部门审核' : '保存成功')
    close(circlePaths.detail(saved))
  }
  const common = {
    title: ciId ? `编辑圈子${circle ? `：${circle.ciName}` : ''}` : '新增圈子',
    status: circle && <CircleStatus circle={circle} />,
    closed: circle ? closedTo(circle) : classes?.length === 0 ? noClasses : undefined,
    wayOn: classes?.length === 0 && isScreenOpen(circlePaths.classes) && (
      <Link to={circlePaths.classes}>前往圈子分类</Link>
    ),
    isLoading: (ciId !== undefined && !circle) || !classes,
    reading: ciId !== undefined && !circle ? reading : classReading,
    noun: '圈子',
    list: circlePaths.list,
    initial: circle ? valuesOf(circle) : ciId ? undefined : blank,
    draft: `circle:${ciId ?? 'new'}`,
    back: ciId ? circlePaths.detail(ciId) : circlePaths.list,
    children: (
      <>
        {circle?.ciAuthStatus === circleAuthStatus.refused && circle.reason && (
          <p className="form-hint" role="note">
            驳回原因：{circle.reason}。修改后将重新提交审核。
          </p>
        )}
        <FormSection title="基本信息">
          <TextField name="ciName" span={6} />
          <SelectField name="ciClass" span={6} options={classes ?? []} />
          <DictionaryField name="ciLevel" span={6} type="circle_level" open />
          <DateField name="foundDate" span={6} />
          <SelectField name="ciCollegeId" span={6} options={colleges} help="不选学院时为全校性圈子" />
          <TreeField name="guideUnitId" span={6} tree={departments} />
          <AreaField name="ciDesc" rows={4} placeholder="宗旨、活动内容与招新要求" />
          <ImageField name="imgList" files={fileApi} max={9} />
          <FileField name="charterFile" files={fileApi} known={circle?.charter ? [circle.charter] : []} />
        </FormSection>
        <FormSection title="人员" hint="负责人有且只有一名，须为在读或延期学生，并自动成为成员。">
          <StudentField
            name="cpiPersonId"
            span={6}
            known={circle ? [circle.principal] : []}
            help={
              circle?.ciAuthStatus === circleAuthStatus.passed
                ? '没有圈子审核权限时，请在详情页提交“变更负责人”申请'
                : undefined
            }
          />
          <TeachersField name="teacherIds" span={6} known={circle?.teachers} />
          {circle && circle.memberCount > maxInForm ? (
            <p className="form-hint">成员超过 {maxInForm} 人，请在详情页的“成员”中维护。</p>
          ) : (
            <MembersField name="personIds" known={circle?.persons ?? []} />
          )}
          <DictionaryField name="joinMode" span={6} type="circle_join_mode" open />
          <NumberField name="memberMax" span={6} unit="人" placeholder="不填则不限" />
        </FormSection>
      </>
    ),
  }
  return ciId ? (
    <FormPage {...common} call={circleApi.update} onDone={({ ciAuthStatus }) => done(ciId, ciAuthStatus)} />
  ) : (
    <FormPage
      {...common}
      call={circleApi.add}
      submitText="提交"
      onDone={({ ciId: saved, ciAuthStatus }) => done(saved, ciAuthStatus)}
    />
  )
}
