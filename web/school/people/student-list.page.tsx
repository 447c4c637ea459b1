import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { studentApi, type StudentRow } from '../../../contract/school/people/students.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { NumberRangeFilter } from '../../core/list/number-range-filter.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../../shared/organisation/places.tsx'
import { accountActions } from './account-actions.tsx'
import { FindPersonDialog } from './find-person.tsx'
import { studentPaths } from './people-paths.ts'
import { AccountChip, studentTones, warnTones } from './person-parts.tsx'
import { useStudentActions } from './student-actions.tsx'
import { StudentTools } from './student-tools.tsx'

const columns: Column<StudentRow>[] = [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    width: 104,
    sorter: true,
    render: (name: string, { suId }) => (
      <Link to={studentPaths.detail(suId)} title={name}>
        {name}
      </Link>
    ),
  },
  { title: '学号', dataIndex: 'suiNumber', width: 120, sorter: true },
  {
    title: '学籍状态',
    dataIndex: 'suiStatus',
    width: 92,
    render: (value: string) => <DictionaryChip type="student_status" value={value} tones={studentTones} />,
  },
  { title: '账号', dataIndex: 'suStatus', width: 92, render: (_, row) => <AccountChip {...row} /> },
  { title: '年级', dataIndex: 'suiGrade', width: 80, sorter: true },
  { title: '学院', dataIndex: 'suiCollegeName', width: 168 },
  { title: '班级', dataIndex: 'scClassName', width: 156 },
  { title: '专业', dataIndex: 'majorName' },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex' },
  { title: '诚信分', dataIndex: 'suiCredibility', width: 88, number: true, sorter: true },
  {
    title: '预警',
    dataIndex: 'warnLevel',
    width: 104,
    render: (value: string) =>
      value === warnLevel.normal ? '' : <DictionaryChip type="warn_level" value={value} tones={warnTones} />,
  },
  { title: '政治面貌', dataIndex: 'suiPolitical', width: 116, dict: 'political', hiddenAtFirst: true },
  { title: '最近登录', dataIndex: 'lastLoginTime', width: 168, hiddenAtFirst: true },
]

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '在读', filters: { suiStatus: studentStatus.enrolled } },
  { title: '休学', filters: { suiStatus: studentStatus.suspended } },
  { title: '毕业', filters: { suiStatus: studentStatus.graduated } },
]
const names = { college: 'suiCollegeId', major: 'majorId', class: 'scClassId' }
const { enable, disable } = accountActions('student')
/** Told only to holders of the right to what is sensitive. */
const openColumns = columns.filter(({ dataIndex }) => dataIndex !== 'suiPolitical')

/** The students the person may see, and what may be done to each. */
export function StudentListPage() {
  const list = useList(studentApi.list)
  const { acts, batch, dialogs } = useStudentActions('list')
  const [isFinding, setFinding] = useState(false)
  const maySeeAll = usePermission()(piiApi.find)
  return (
    <>
      <ListPage
        title="学生管理"
        list={list}
        rowKey="suId"
        views={views}
        columns={maySeeAll ? columns : openColumns}
        filters={
          <>
            <TextFilter name="search" label="姓名或学号" />
            <CollegeFilter names={names} under="student:list" />
            <MajorFilter names={names} under="student:list" />
            <ClassFilter names={names} grade="suiGrade" under="student:list" />
          </>
        }
        moreFilters={
          <>
            <GradeFilter name="suiGrade" />
            <DictionaryFilter name="suiStatus" type="student_status" label="学籍状态" />
            <DictionaryFilter name="suiSex" type="sex" label="性别" />
            {maySeeAll && <DictionaryFilter name="suiPolitical" type="political" label="政治面貌" />}
            <DictionaryFilter name="suStatus" type="account_status" label="账号状态" />
            <DictionaryFilter name="warnLevel" type="warn_level" label="预警等级" />
            <NumberRangeFilter names={['credibilityMin', 'credibilityMax']} label="诚信分" />
          </>
        }
        tools={
          <>
            <StudentTools list={list} />
            <ActionButton to={piiApi.find} icon={<IdcardOutlined />} onClick={() => setFinding(true)}>
              按号码查找
            </ActionButton>
            <ExportButton to={studentApi.exportList} input={list.query} />
            <ImportButton
              to={studentApi.save}
              api={importApi}
              kind="student"
              title="批量导入学生"
              hint="按学号识别：已有的更新，没有的新增。学院、专业与班级须已建立。"
            />
            <ActionButton to={studentApi.save} href={studentPaths.add} icon={<PlusOutlined />} primary>
              新增学生
            </ActionButton>
          </>
        }
        rowActions={[...acts.slice(0, -1), enable, disable, ...acts.slice(-1)]}
        batchActions={[...batch.slice(0, -1), enable, disable, ...batch.slice(-1)]}
        empty={{
          text: '暂无学生',
          hint: '建立班级后，可逐个新增或批量导入学生。',
          next: (
            <ActionButton to={studentApi.save} href={studentPaths.add}>
              新增学生
            </ActionButton>
          ),
        }}
      />
      {dialogs}
      {isFinding && <FindPersonDialog onClose={() => setFinding(false)} />}
    </>
  )
}
