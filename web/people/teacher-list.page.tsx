import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Link } from 'react-router'
import { importApi } from '../../contract/imports/imports.calls.ts'
import { teacherApi, type TeacherRow } from '../../contract/people/teachers.calls.ts'
import { download } from '../core/api.ts'
import { ActButton } from '../core/buttons.tsx'
import type { Column } from '../core/columns.tsx'
import { DictFilter, TextFilter } from '../core/filters.tsx'
import { ImportButton } from '../core/import-button.tsx'
import { ListPage } from '../core/list-page.tsx'
import { DictChip } from '../core/status-chip.tsx'
import { useList } from '../core/use-list.ts'
import { DepartmentFilter } from '../organisation/department-filter.part.tsx'
import { CollegeFilter } from '../organisation/places.part.tsx'
import { AccountChip, teacherTones } from './person-parts.tsx'
import { teacherPaths, useTeacherActs } from './teacher-acts.tsx'
import './people.css'

const columns: Column<TeacherRow>[] = [
  { title: '姓名', dataIndex: 'suiName', fixed: 'left', width: 110, sorter: true, render: (name: string, { suId }) => <Link to={teacherPaths.detail(suId)}>{name}</Link> },
  { title: '工号', dataIndex: 'suiNumber', width: 120, sorter: true },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex' },
  { title: '学院', dataIndex: 'suiCollegeName', width: 200 },
  { title: '部门', dataIndex: 'departments', width: 160 },
  { title: '职称', dataIndex: 'title', width: 90, dict: 'teacher_title' },
  { title: '类型', dataIndex: 'teacherType', width: 96, dict: 'teacher_type' },
  { title: '职务', dataIndex: 'post', width: 110, hiddenAtFirst: true },
  { title: '角色', dataIndex: 'roles' },
  { title: '在职状态', dataIndex: 'suiStatus', width: 100, render: (value: string) => <DictChip type="teacher_status" value={value} tones={teacherTones} /> },
  { title: '账号', dataIndex: 'suStatus', width: 90, render: (_: string, row) => <AccountChip {...row} /> },
  { title: '最近登录', dataIndex: 'lastLoginTime', width: 168, hiddenAtFirst: true },
]

/** The teachers and other staff in reach. */
export function TeacherListPage() {
  const list = useList(teacherApi.list)
  const { edit, reset, remove, dialog } = useTeacherActs()
  const add = (primary: boolean) => <ActButton to={teacherApi.save} primary={primary} icon={<PlusOutlined />} href={teacherPaths.add}>新增教师</ActButton>
  return (
    <>
      <ListPage
        title="教师管理"
        list={list}
        rowKey="suId"
        columns={columns}
        filters={<><TextFilter name="search" label="教师" placeholder="姓名或工号" /><CollegeFilter names={{ college: 'suiCollegeId' }} under="teacher:list" /><DepartmentFilter name="sdId" /><DictFilter name="teacherType" type="teacher_type" label="类型" /></>}
        moreFilters={<><DictFilter name="title" type="teacher_title" label="职称" /><DictFilter name="suiStatus" type="teacher_status" label="在职状态" /><DictFilter name="suStatus" type="account_status" label="账号状态" /></>}
        tools={
          <>
            <ActButton to={teacherApi.exportList} icon={<DownloadOutlined />} onClick={() => download(teacherApi.exportList, list.query).catch(() => undefined)}>导出</ActButton>
            <ImportButton to={teacherApi.save} api={importApi} kind="teacher" title="批量导入教师" hint="按工号识别：已有的更新填写了的栏目，没有的新增并开通账号。" />
            {add(true)}
          </>
        }
        rowActs={[edit, reset, remove]}
        batchActs={[remove]}
        nameOf={({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`}
        empty={{ text: '暂无教师', hint: '可以下载模板，从电子表格批量导入。', next: add(false) }}
      />
      {dialog}
    </>
  )
}
