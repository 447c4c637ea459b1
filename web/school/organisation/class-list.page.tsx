import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import type { ClassRow } from '../../../contract/school/organisation/organisation.schema.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { NumberField, TextField } from '../../core/form/fields.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList } from '../../core/list/use-list.ts'
import { PersonField } from '../../shared/people/person-field.tsx'
import { SecretaryDialog, useSecretaryRole } from '../../shared/people/league-secretary.tsx'
import { ClassTimes } from './class-times.tsx'
import { countColumn } from './count-column.tsx'
import { CollegeField, CollegeFilter, GradeFilter, MajorField, MajorFilter } from '../../shared/organisation/places.tsx'

const action = actionOn<ClassRow>()
const remove = action.remove({
  call: classApi.remove,
  unit: '个班级',
  input: (rows) => ({ ids: rows.map(({ scClassId }) => scClassId) }),
})
const names = { college: 'scId', major: 'smId' }

/** The classes of the majors, by year. */
export function ClassListPage() {
  const list = useList(classApi.list)
  const [editing, setEditing] = useState<Partial<ClassRow>>()
  const edit = action.open({
    label: '编辑',
    call: classApi.save,
    fits: (row) => row.can.includes('edit'),
    onOpen: ([row]) => setEditing(row),
  })
  const [shown, setShown] = useState<ClassRow>()
  const times = action.open({ label: '课表', call: classApi.times, onOpen: ([row]) => setShown(row) })
  const [appointing, setAppointing] = useState<ClassRow>()
  const role = useSecretaryRole()
  const may = (row: ClassRow) => role !== undefined && row.can.includes('grant')
  const appoint = action.open({
    label: '团支书',
    call: memberApi.appointSecretary,
    fits: may,
    onOpen: ([row]) => setAppointing(row),
  })
  const dismiss = action({
    label: '免去团支书',
    call: memberApi.dismissSecretary,
    isDanger: true,
    fits: (row) => may(row) && row.leagueSecretaryId !== null,
    question: ([row]) => `确认免去${quoted(row!.leagueSecretaryName)}在 ${row!.scClassName} 的团支书职务？`,
    confirm: '他将立即失去该班级的团支书权限。',
    doneText: () => '已免去团支书',
    input: ([row]) => ({ srId: role!.srId, scClassId: row!.scClassId }),
  })
  const columns: Column<ClassRow>[] = [
    { title: '班级名称', dataIndex: 'scClassName', fixed: 'left', width: 160, sorter: true, opens: edit },
    { title: '班级编码', dataIndex: 'scClassCode', width: 120, hiddenAtFirst: true },
    { title: '所属学院', dataIndex: 'scName' },
    { title: '所属专业', dataIndex: 'smName', width: 160 },
    { title: '年级', dataIndex: 'scClassGrade', width: 84, sorter: true, render: (grade: string) => `${grade}级` },
    { title: '辅导员', dataIndex: 'counselorName', width: 80 },
    { title: '班主任', dataIndex: 'headTeacherName', width: 80, hiddenAtFirst: true },
    {
      title: '团支书',
      dataIndex: 'leagueSecretaryName',
      width: 80,
      render: (name: string | null, { leagueSecretaryId }) =>
        name && leagueSecretaryId ? (
          <Link to={`/personnelAdmin/studentAdmin/detail?suId=${leagueSecretaryId}`}>{name}</Link>
        ) : (
          <span className="nothing">未设置</span>
        ),
    },
    countColumn({
      title: '学生',
      dataIndex: 'studentCount',
      width: 70,
      list: '/personnelAdmin/studentAdmin',
      filters: ({ scId, smId, scClassId }) => ({ suiCollegeId: scId, majorId: smId, scClassId }),
      of: ({ scClassName }) => scClassName,
    }),
    { title: '更新时间', dataIndex: 'updateTime', width: 168, hiddenAtFirst: true },
  ]
  const { scId, smId } = list.state.filters
  const add = (primary: boolean) => (
    <ActionButton
      to={classApi.save}
      primary={primary}
      icon={<PlusOutlined />}
      onClick={() => setEditing({ ...(scId && { scId }), ...(smId && { smId }) })}
    >
      新增班级
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="班级管理"
        list={list}
        rowKey="scClassId"
        columns={columns}
        filters={
          <>
            <TextFilter name="scClassName" label="班级名称" />
            <CollegeFilter names={names} under="class:list" />
            <MajorFilter names={names} under="class:list" />
            <GradeFilter name="scClassGrade" />
          </>
        }
        moreFilters={{
          names: ['hasSecretary'],
          filters: (
            <SelectFilter
              name="hasSecretary"
              label="团支书"
              options={[
                { value: yesNo.yes, label: '已设置' },
                { value: yesNo.no, label: '未设置' },
              ]}
            />
          ),
        }}
        tools={
          <>
            <ExportButton to={classApi.exportList} list={list} />
            <ImportButton
              to={classApi.save}
              api={importApi}
              kind="class"
              title="批量导入班级"
              hint="按专业、年级与班级名称识别：已有的更新，没有的新增。"
            />
            <ImportButton
              to={classApi.save}
              api={importApi}
              kind="timetable"
              title="批量导入课表"
              hint="教务系统导出的课表，按班级、学期、星期、开始时间与课程识别；报名和申报课程时据此提示冲突。"
            >
              导入课表
            </ImportButton>
            <ImportButton
              to={memberApi.appointSecretary}
              api={importApi}
              kind="leagueSecretary"
              title="批量导入团支书"
              hint="按学号识别学生，其所在班级已有团支书的由他接任；导入前可在预览中核对。"
            >
              导入团支书
            </ImportButton>
            {add(true)}
          </>
        }
        rowActions={[edit, appoint, times, dismiss, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无班级', hint: '学生归属于班级，请先建立班级。', next: add(false) }}
      />
      {shown && <ClassTimes row={shown} onClose={() => setShown(undefined)} />}
      {editing && <ClassDialog row={editing} onClose={() => setEditing(undefined)} />}
      {appointing && role && (
        <SecretaryDialog row={appointing} srId={role.srId} onClose={() => setAppointing(undefined)} />
      )}
    </>
  )
}

function ClassDialog({ row, onClose }: { row: Partial<ClassRow>; onClose: () => void }) {
  const person = (suId?: string | null, suiName?: string | null) => (suId && suiName ? [{ suId, suiName }] : [])
  return (
    <DialogForm
      call={classApi.save}
      title={row.scClassId ? '编辑班级' : '新增班级'}
      width={640}
      initial={row}
      onClose={onClose}
    >
      <TextField name="scClassName" span={8} />
      <TextField name="scClassCode" span={4} />
      <CollegeField name="scId" span={6} under="class:edit" clears={['smId']} />
      <MajorField
        name="smId"
        college="scId"
        span={6}
        under="class:edit"
        {...(row.scClassId && { help: '改换专业或年级时，班内学生一并调整' })}
      />
      <NumberField name="scClassGrade" span={4} unit="级" placeholder="如 2024" />
      <PersonField
        name="counselorId"
        span={4}
        suiType={personType.teacher}
        known={person(row.counselorId, row.counselorName)}
      />
      <PersonField
        name="headTeacherId"
        span={4}
        suiType={personType.teacher}
        known={person(row.headTeacherId, row.headTeacherName)}
      />
      <NumberField name="scClassSort" span={4} help="小的在前" />
    </DialogForm>
  )
}
