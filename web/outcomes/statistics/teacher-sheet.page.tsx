import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { personLessonApi, type TeacherLesson } from '../../../contract/programme/lessons/person-lessons.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { ReadFailurePage } from '../../core/screen/read-failure.tsx'
import { useTabTitle } from '../../core/service/tab.ts'
import { useAddress, withParams } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { amountText, figure } from '../../core/service/figure.ts'
import '../../shared/lessons/lessons.css'
import '../../shared/dashboard/dashboard.css'

const roleWords = { principal: '负责人', teacher: '指导老师' } as const

/**
 * The courses that somebody leads or guides as one sheet to be printed: all, or the ticked ones, which stand in the
 * address.
 */
export function TeacherSheetPage() {
  const [query, change] = useAddress()
  const [ticked, setTicked] = useState<readonly string[]>([])
  const userId = query.get('suId') ?? ''
  const ids = query.get('ids')?.split(',')
  const { data: sheet, ...reading } = useCall(
    personLessonApi.teacherSheet,
    { userId, ...(ids && { ids }) },
    { enabled: userId !== '' },
  )
  const tick = (liId: string) =>
    setTicked((now) => (now.includes(liId) ? now.filter((one) => one !== liId) : [...now, liId]))
  const show = (chosen: readonly string[]) => {
    change(withParams({ ids: chosen.join(',') || undefined }))
    setTicked([])
  }
  useTabTitle(sheet && `指导课程成绩单 · ${sheet.teacher.suiName}`)
  if (!sheet && (reading.error || userId === ''))
    return (
      <ReadFailurePage
        head={<PageHead title="指导课程成绩单" />}
        {...(userId !== '' && { reading })}
        noun="教师"
        list="/StatisticsAdmin/TeacherStatistics"
      />
    )
  if (!sheet)
    return (
      <div className="page">
        <PageHead title="指导课程成绩单" />
        <div className="card">
          <ReadSkeleton reading={reading} />
        </div>
      </div>
    )
  const { teacher, summary, records } = sheet
  return (
    <div className="page statistics">
      <PageHead
        title={`${teacher.suiName}指导课程成绩单`}
        facts={`工号 ${teacher.suiNumber}，${ids ? '所选' : '共'} ${figure(summary.lessons)} 门课程，参与 ${figure(summary.people)} 人次，${amountText(summary.hours)} 学时`}
        tools={
          <span className="statistics-tools">
            {ticked.length > 0 && <Button onClick={() => show(ticked)}>只看所选 {ticked.length} 门</Button>}
            {ids && <Button onClick={() => show([])}>显示全部课程</Button>}
            <LockButton
              type="primary"
              icon={<PrinterOutlined />}
              disabled={records.length === 0}
              authority-type={personLessonApi.teacherSheet.permit}
              onClick={() => window.print()}
            >
              打印
            </LockButton>
          </span>
        }
      />
      <div className="card teacher-sheet">
        {records.length === 0 ? (
          <EmptyState text="还没有指导课程" hint="担任负责人或指导老师的课程发布审批通过后，会显示在这里。" />
        ) : (
          <table className="small-table">
            <caption className="visually-hidden">{teacher.suiName}指导的课程</caption>
            <thead>
              <tr>
                <th scope="col" className="sheet-tick">
                  <span className="visually-hidden">选择</span>
                </th>
                {['课程', '担任', '模块', '级别', '状态', '活动时间'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
                <th scope="col" className="figures">
                  参与人次
                </th>
                <th scope="col" className="figures">
                  学时
                </th>
              </tr>
            </thead>
            <tbody>
              {records.map((row) => (
                <SheetRow key={row.liId} row={row} isTicked={ticked.includes(row.liId)} onTick={tick} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td className="sheet-tick" />
                <td colSpan={6}>合计 {figure(summary.lessons)} 门</td>
                <td className="figures">{figure(summary.people)}</td>
                <td className="figures">{amountText(summary.hours)}</td>
              </tr>
            </tfoot>
          </table>
        )}
      </div>
    </div>
  )
}

function SheetRow({
  row,
  isTicked,
  onTick,
}: {
  row: TeacherLesson
  isTicked: boolean
  onTick: (liId: string) => void
}) {
  return (
    <tr>
      <td className="sheet-tick">
        <Checkbox checked={isTicked} aria-label={`选择${row.liName}`} onChange={() => onTick(row.liId)} />
      </td>
      <th scope="row">
        {row.opens ? (
          <Link to={`/courseManagement/detailCurriculumList?liId=${row.liId}`}>{row.liName}</Link>
        ) : (
          row.liName
        )}
      </th>
      <td>{row.roles.map((role) => roleWords[role]).join('、')}</td>
      <td>{row.lsName}</td>
      <td>{row.liLevelName}</td>
      <td>
        <LessonStatus lesson={row} />
      </td>
      <td>{shortPeriod(row.startTime, row.endTime)}</td>
      <td className="figures">{figure(row.passCount)}</td>
      <td className="figures">{row.liHours}</td>
    </tr>
  )
}
