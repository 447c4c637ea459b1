import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { teacherStatus } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { teacherApi, type TeacherRow } from '../../../contract/school/people/teachers.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { DepartmentFilter } from '../../shared/organisation/department-filter.tsx'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { accountActions } from './account-actions.tsx'
import { FindPersonDialog } from './find-person.tsx'
import { teacherPaths } from './people-paths.ts'
import { AccountChip, teacherTones } from './person-parts.tsx'
import { removeTeachers, useTeacherActions } from './teacher-actions.tsx'

const columns: Column<TeacherRow>[] = [
  {
    title: '姓名',
    dataIndex: 'suiName',
    fixed: 'left',
    width: 104,
    sorter: true,
    render: (name: string, { suId }) => (
      <Link to={teacherPaths.detail(suId)} title={name}>
        {name}
      </Link>
    ),
  },
  { title: '工号', dataIndex: 'suiNumber', width: 100, sorter: true },
  {
    title: '在职状态',
    dataIndex: 'suiStatus',
    width: 92,
    render: (value: string) => <DictionaryChip type="teacher_status" value={value} tones={teacherTones} />,
  },
  { title: '账号', dataIndex: 'suStatus', width: 92, render: (_, row) => <AccountChip {...row} /> },
  { title: '学院', dataIndex: 'suiCollegeName', width: 168 },
  { title: '部门', dataIndex: 'departments', width: 148, render: (names: string[]) => <Names names={names} /> },
  { title: '教师类型', dataIndex: 'teacherType', width: 92, dict: 'teacher_type' },
  { title: '职称', dataIndex: 'title', width: 92, dict: 'teacher_title' },
  { title: '角色', dataIndex: 'roles', render: (names: string[]) => <Names names={names} /> },
  { title: '职务', dataIndex: 'post', width: 120, hiddenAtFirst: true },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex', hiddenAtFirst: true },
  {
    title: '带班辅导员',
    dataIndex: 'isCounselor',
    width: 104,
    hiddenAtFirst: true,
    render: (is: boolean) => (is ? '是' : <span className="nothing">—</span>),
  },
  { title: '政治面貌', dataIndex: 'suiPolitical', width: 116, dict: 'political', hiddenAtFirst: true },
  { title: '最近登录', dataIndex: 'lastLoginTime', width: 168, hiddenAtFirst: true },
]

const Names = ({ names }: { names: string[] }) =>
  names.length > 0 ? <span title={names.join('、')}>{names.join('、')}</span> : <span className="nothing">—</span>

const views: View[] = [
  { title: '全部', filters: {} },
  { title: '在职', filters: { suiStatus: teacherStatus.employed } },
  { title: '离职', filters: { suiStatus: teacherStatus.left } },
  { title: '退休', filters: { suiStatus: teacherStatus.retired } },
]
const removal = removeTeachers()
const { enable, disable } = accountActions('teacher')
/** Told only to holders of the right to what is sensitive. */
const openColumns = columns.filter(({ dataIndex }) => dataIndex !== 'suiPolitical')

/** The staff the person may see, and what may be done to each. */
export function TeacherListPage() {
  const list = useList(teacherApi.list)
  const { acts, dialogs } = useTeacherActions('list')
  const [isFinding, setFinding] = useState(false)
  const maySeeAll = usePermission()(piiApi.find)
  return (
    <>
      <ListPage
        title="教师管理"
        list={list}
        rowKey="suId"
        views={views}
        columns={maySeeAll ? columns : openColumns}
        filters={
          <>
            <TextFilter name="search" label="姓名或工号" />
            <CollegeFilter names={{ college: 'suiCollegeId' }} under="teacher:list" />
            <DepartmentFilter name="sdId" />
            <DictionaryFilter name="teacherType" type="teacher_type" label="教师类型" />
          </>
        }
        moreFilters={
          <>
            <DictionaryFilter name="title" type="teacher_title" label="职称" />
            <DictionaryFilter name="suiStatus" type="teacher_status" label="在职状态" />
            <DictionaryFilter name="suiSex" type="sex" label="性别" />
            {maySeeAll && <DictionaryFilter name="suiPolitical" type="political" label="政治面貌" />}
            <DictionaryFilter name="suStatus" type="account_status" label="账号状态" />
            <DictionaryFilter name="isCounselor" type="yes_no" label="带班辅导员" />
          </>
        }
        tools={
          <>
            <ActionButton to={piiApi.find} icon={<IdcardOutlined />} onClick={() => setFinding(true)}>
              按号码查找
            </ActionButton>
            <ExportButton to={teacherApi.exportList} input={list.query} />
            <ImportButton
              to={teacherApi.save}
              api={importApi}
              kind="teacher"
              title="批量导入教师"
              hint="按工号识别：已有的更新，没有的新增。学院与部门至少填一项，且须已建立。"
            />
            <ActionButton to={teacherApi.save} href={teacherPaths.add} icon={<PlusOutlined />} primary>
              新增教师
            </ActionButton>
          </>
        }
        rowActions={[...acts.slice(0, -1), enable, disable, ...acts.slice(-1)]}
        batchActions={[enable, disable, removal]}
        empty={{
          text: '暂无教师',
          hint: '可逐个新增，或按模板批量导入。',
          next: (
            <ActionButton to={teacherApi.save} href={teacherPaths.add}>
              新增教师
            </ActionButton>
          ),
        }}
      />
      {dialogs}
      {isFinding && <FindPersonDialog onClose={() => setFinding(false)} />}
    </>
  )
}
