import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Link } from 'react-router'
import { importApi } from '../../contract/imports/imports.calls.ts'
import { studentApi, type StudentRow } from '../../contract/people/students.calls.ts'
import { download } from '../core/api.ts'
import { ActButton } from '../core/buttons.tsx'
import type { Column } from '../core/columns.tsx'
import { DictFilter, TextFilter } from '../core/filters.tsx'
import { ImportButton } from '../core/import-button.tsx'
import { ListPage } from '../core/list-page.tsx'
import { DictChip } from '../core/status-chip.tsx'
import { useList } from '../core/use-list.ts'
import { ClassFilter, CollegeFilter, GradeFilter, MajorFilter } from '../organisation/places.part.tsx'
import { AccountChip, gradeText, studentTones } from './person-parts.tsx'
import { studentPaths, useStudentActs } from './student-acts.tsx'
import './people.css'

const names = { college: 'suiCollegeId', major: 'majorId', class: 'scClassId' }
const under = 'student:list'

const columns: Column<StudentRow>[] = [
  { title: '姓名', dataIndex: 'suiName', fixed: 'left', width: 110, sorter: true, render: (name: string, { suId }) => <Link to={studentPaths.detail(suId)}>{name}</Link> },
  { title: '学号', dataIndex: 'suiNumber', width: 130, sorter: true },
  { title: '性别', dataIndex: 'suiSex', width: 64, dict: 'sex' },
  { title: '学院', dataIndex: 'suiCollegeName' },
  { title: '专业', dataIndex: 'majorName', width: 180 },
  { title: '班级', dataIndex: 'scClassName', width: 140 },
  { title: '年级', dataIndex: 'suiGrade', width: 84, sorter: true, render: gradeText as never },
  { title: '学籍状态', dataIndex: 'suiStatus', width: 100, render: (value: string) => <DictChip type="student_status" value={value} tones={studentTones} /> },
  { title: '诚信分', dataIndex: 'suiCredibility', width: 84, number: true, sorter: true },
  { title: '账号', dataIndex: 'suStatus', width: 90, render: (_: string, row) => <AccountChip {...row} /> },
  { title: '最近登录', dataIndex: 'lastLoginTime', width: 168, hiddenAtFirst: true },
]

/** The students in reach. */
export function StudentListPage() {
  const list = useList(studentApi.list)
  const { edit, reset, appoint, remove, dialog } = useStudentActs()
  const add = (primary: boolean) => <ActButton to={studentApi.save} primary={primary} icon={<PlusOutlined />} href={studentPaths.add}>新增学生</ActButton>
  return (
    <>
      <ListPage
        title="学生管理"
        list={list}
        rowKey="suId"
        columns={columns}
        filters={<><TextFilter name="search" label="学生" placeholder="姓名或学号" /><CollegeFilter names={names} under={under} /><MajorFilter names={names} under={under} /><GradeFilter name="suiGrade" /></>}
        moreFilters={<><ClassFilter names={names} grade="suiGrade" under={under} /><DictFilter name="suiStatus" type="student_status" label="学籍状态" /><DictFilter name="suiSex" type="sex" label="性别" /><DictFilter name="suStatus" type="account_status" label="账号状态" /></>}
        tools={
          <>
            <ActButton to={studentApi.exportList} icon={<DownloadOutlined />} onClick={() => download(studentApi.exportList, list.query).catch(() => undefined)}>导出</ActButton>
            <ImportButton to={studentApi.save} api={importApi} kind="student" title="批量导入学生" hint="按学号识别：已有的更新填写了的栏目，没有的新增并开通账号。" />
            {add(true)}
          </>
        }
        rowActs={[edit, reset, appoint, remove]}
        batchActs={[remove]}
        nameOf={({ suiName, suiNumber }) => `${suiName}（${suiNumber}）`}
        empty={{ text: '暂无学生', hint: '可以下载模板，从电子表格批量导入。', next: add(false) }}
      />
      {dialog}
    </>
  )
}
