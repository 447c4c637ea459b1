import { teacherStatus } from '../../../contract/core/codes/school.ts'
import { teacherApi, type TeacherRow } from '../../../contract/school/people/teachers.calls.ts'
import { DictionaryFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import { useList } from '../../core/list/use-list.ts'
import { DepartmentFilter } from '../../shared/organisation/department-filter.tsx'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { personColumns, PersonFilters, personFilters, PersonListPage } from './person-list.tsx'
import { removeTeachers, useTeacherActions } from './teacher-actions.tsx'

const columns = personColumns<TeacherRow>('teacher', [
  { title: '角色', dataIndex: 'roles', render: (names: string[]) => <Names names={names} /> },
  { title: '学院', dataIndex: 'suiCollegeName', width: 168 },
  { title: '部门', dataIndex: 'departments', width: 148, render: (names: string[]) => <Names names={names} /> },
  { title: '教师类型', dataIndex: 'teacherType', width: 92, dict: 'teacher_type' },
  { title: '职称', dataIndex: 'title', width: 92, dict: 'teacher_title' },
  { title: '职务', dataIndex: 'post', width: 120, hiddenAtFirst: true },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex', hiddenAtFirst: true },
  {
    title: '带班辅导员',
    dataIndex: 'isCounselor',
    width: 104,
    hiddenAtFirst: true,
    render: (is: boolean) => (is ? '是' : <span className="nothing">—</span>),
  },
])

function Names({ names }: { names: string[] }) {
  return names.length > 0 ? (
    <span title={names.join('、')}>{names.join('、')}</span>
  ) : (
    <span className="nothing">—</span>
  )
}

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '在职', filters: { suiStatus: teacherStatus.employed } },
  { title: '离职', filters: { suiStatus: teacherStatus.left } },
  { title: '退休', filters: { suiStatus: teacherStatus.retired } },
]
const batch = [removeTeachers()]

/** The staff the person may see, and what may be done to each. */
export function TeacherListPage() {
  const list = useList(teacherApi.list)
  const actions = useTeacherActions('list')
  return (
    <PersonListPage
      kind="teacher"
      list={list}
      views={useCountedViews(list, views)}
      columns={columns}
      filters={
        <>
          <CollegeFilter names={{ college: 'suiCollegeId' }} under="teacher:list" />
          <DepartmentFilter name="sdId" />
          <DictionaryFilter name="teacherType" type="teacher_type" label="教师类型" />
        </>
      }
      moreFilters={{
        names: ['title', ...personFilters, 'isCounselor'],
        filters: (
          <>
            <DictionaryFilter name="title" type="teacher_title" label="职称" />
            <PersonFilters kind="teacher" />
            <DictionaryFilter name="isCounselor" type="yes_no" label="带班辅导员" />
          </>
        ),
      }}
      importHint="学院与部门至少填一项，且须已建立。"
      emptyHint="可逐个新增，或按模板批量导入。"
      batch={batch}
      {...actions}
    />
  )
}
