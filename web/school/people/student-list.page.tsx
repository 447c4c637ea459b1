import { yesNo } from '../../../contract/core/codes/platform.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { studentApi, type StudentRow } from '../../../contract/school/people/students.calls.ts'
import { DictionaryFilter, SelectFilter } from '../../core/list/filters.tsx'
import { NumberRangeFilter } from '../../core/list/number-range-filter.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useCountedViews } from '../../core/list/counted-views.ts'
import { useList } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { personColumns, PersonFilters, personFilters, PersonListPage } from './person-list.tsx'
import { warnTones } from '../../shared/people/warn-tones.ts'
import { useStudentActions } from './student-actions.tsx'
import { StudentTools } from './student-tools.tsx'

const columns = personColumns<StudentRow>('student', [
  { title: '班级', dataIndex: 'scClassName', width: 148 },
  {
    title: '预警',
    dataIndex: 'warnLevel',
    width: 104,
    render: (value: string) =>
      value === warnLevel.normal ? (
        <span className="nothing">—</span>
      ) : (
        <DictionaryChip type="warn_level" value={value} tones={warnTones} />
      ),
  },
  { title: '年级', dataIndex: 'suiGrade', width: 80, sorter: true },
  { title: '学院', dataIndex: 'suiCollegeName', width: 168 },
  { title: '专业', dataIndex: 'majorName' },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex' },
  { title: '诚信分', dataIndex: 'suiCredibility', width: 88, number: true, sorter: true },
])

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '在读', filters: { suiStatus: studentStatus.enrolled } },
  { title: '休学', filters: { suiStatus: studentStatus.suspended } },
  { title: '毕业', filters: { suiStatus: studentStatus.graduated } },
]
const names = { college: 'suiCollegeId', major: 'majorId', class: 'scClassId' }

/** The students the person may see, and what may be done to each. */
export function StudentListPage() {
  const list = useList(studentApi.list)
  const actions = useStudentActions('list')
  return (
    <PersonListPage
      kind="student"
      list={list}
      views={useCountedViews(list, views)}
      columns={columns}
      filters={
        <>
          <CollegeFilter names={names} under="student:list" />
          <MajorFilter names={names} under="student:list" />
          <ClassFilter names={names} grade="suiGrade" under="student:list" />
        </>
      }
      moreFilters={{
        names: ['suiGrade', ...personFilters, 'activated', 'warnLevel', ['credibilityMin', 'credibilityMax']],
        filters: (
          <>
            <GradeFilter name="suiGrade" clears={[names.class]} />
            <PersonFilters kind="student" />
            <SelectFilter
              name="activated"
              label="账号激活"
              options={[
                { value: yesNo.no, label: '未激活' },
                { value: yesNo.yes, label: '已激活' },
              ]}
            />
            <DictionaryFilter name="warnLevel" type="warn_level" label="预警等级" />
            <NumberRangeFilter names={['credibilityMin', 'credibilityMax']} label="诚信分" />
          </>
        ),
      }}
      tools={<StudentTools list={list} />}
      importHint="学院、专业与班级须已建立。"
      emptyHint="建立班级后，可逐个新增或批量导入学生。"
      {...actions}
    />
  )
}
