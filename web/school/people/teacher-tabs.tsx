import { Link } from 'react-router'
import { personLessonApi, type TeacherLesson } from '../../../contract/programme/lessons/person-lessons.calls.ts'
import type { TeacherDetail } from '../../../contract/school/people/teachers.calls.ts'
import type { Column } from '../../core/list/columns.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { LessonName } from './lesson-name.tsx'
import { studentPaths } from './people-paths.ts'

const roleWords = { principal: '负责人', teacher: '指导老师' } as const

const lessonColumns: Column<TeacherLesson>[] = [
  { title: '课程', dataIndex: 'liName', fixed: 'left', render: (_, row) => <LessonName lesson={row} /> },
  { title: '课程状态', dataIndex: 'liStatus', width: 130, render: (_, row) => <LessonStatus lesson={row} /> },
  {
    title: '担任',
    dataIndex: 'roles',
    width: 128,
    render: (roles: TeacherLesson['roles']) => roles.map((role) => roleWords[role]).join('、'),
  },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 164,
    sorter: true,
    render: (_, { startTime, endTime }) => <span className="figures">{shortPeriod(startTime, endTime)}</span>,
  },
  { title: '参与人数', dataIndex: 'passCount', width: 88, number: true },
  { title: '学时', dataIndex: 'liHours', width: 68, number: true },
  { title: '课程体系', dataIndex: 'lsName', width: 168, hiddenAtFirst: true },
  { title: '级别', dataIndex: 'liLevelName', width: 104, hiddenAtFirst: true },
  { title: '主办单位', dataIndex: 'liSponsorName', width: 140, hiddenAtFirst: true },
]

/** The courses a member of staff leads or guides. */
export function TeacherLessons({ suId }: { suId: string }) {
  const list = useList(personLessonApi.ofTeacher, { fixed: { suId }, under: 'lessons' })
  return (
    <ListTable
      list={list}
      rowKey="liId"
      name="lessons"
      columns={lessonColumns}
      filters={<TextFilter name="liName" label="课程名称" />}
      empty={{ text: '还没有指导课程', hint: '担任负责人或指导老师的课程发布审批通过后，会显示在这里。' }}
    />
  )
}

/** The departments somebody belongs to and the classes they look after. */
export function TeacherPlaces({ teacher: { departments, classes, suiCollegeName } }: { teacher: TeacherDetail }) {
  const list = (items: React.ReactNode[]) => <ul className="place-list">{items}</ul>
  return (
    <>
      <Facts
        title="所属单位"
        items={[
          { label: '学院', value: suiCollegeName, isWide: true },
          {
            label: '部门',
            isWide: true,
            value:
              departments.length > 0 &&
              list(
                departments.map(({ sdId, sdName, post }) => (
                  <li key={sdId}>
                    {sdName}
                    {post && <small>{post}</small>}
                  </li>
                )),
              ),
          },
        ]}
      />
      <Facts
        title="所带班级"
        items={[
          {
            label: '班级',
            isWide: true,
            value:
              classes.length > 0 &&
              list(
                classes.map(({ scClassId, scClassName, scId, smId }) => (
                  <li key={scClassId}>
                    <Link
                      to={`${studentPaths.list}?${new URLSearchParams({ suiCollegeId: scId, majorId: smId, scClassId })}`}
                    >
                      {scClassName}
                    </Link>
                  </li>
                )),
              ),
          },
        ]}
      />
    </>
  )
}
