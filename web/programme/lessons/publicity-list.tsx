import type { Output } from '../../../contract/core/call.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { PublicNames } from '../../shared/notice/public-names.tsx'

/** A masked person has nothing of their own to be told by, so the place in the list is their key. */
type Row = Output<typeof lessonApi.publictyList>['records'][number] & { place: string }

const columns: Column<Row>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 120 },
  { title: '学号', dataIndex: 'suiNumber', width: 160 },
  { title: '学院', dataIndex: 'collegeName' },
  {
    title: '结果',
    dataIndex: 'awardName',
    width: 140,
    render: (award: string, { laResult }) => award || labelOf('result_status', laResult),
  },
  { title: '学时', dataIndex: 'hours', width: 90, number: true },
]

/** The public notice of a course: the list while it lasts, and every time there was one. */
export function PublicityList({ lesson }: { lesson: LessonDetail }) {
  const isPublic = isOneOf(lesson.liStatus, lessonStatus.inNotice, lessonStatus.questioned)
  return (
    <>
      <p className="tab-note">{noteOf(lesson, isPublic)}</p>
      <Rounds liId={lesson.liId} />
      {isPublic && <PublicList liId={lesson.liId} />}
    </>
  )
}

function noteOf({ liPublictySdate, liPublictyEdate }: LessonDetail, isPublic: boolean): string {
  if (!liPublictySdate || !liPublictyEdate) return '尚未公示。开始公示后，名单在这里公开。'
  const period = `公示期 ${liPublictySdate.slice(0, 10)} 至 ${liPublictyEdate.slice(0, 10)}`
  return isPublic
    ? `${period}。姓名与学号按公示要求脱敏显示，查看会留下记录；输入完整学号可查到本人。`
    : `${period}，已结束，名单不再公开；本人的结果请查看成绩单。`
}

/** Who gets what of the course, as the public sees it. */
function PublicList({ liId }: { liId: string }) {
  const list = useList(lessonApi.publictyList, { fixed: { liId }, under: 'publicity' })
  const rows = list.rows.map((row, at) => ({ ...row, place: `${list.state.current}-${at}` }))
  return <PublicNames list={{ ...list, rows }} rowKey="place" columns={columns} empty="名单中没有符合条件的人员" />
}

/** Every time the result was put into public notice; shown once there was more than one. */
function Rounds({ liId }: { liId: string }) {
  const { data: rounds = [] } = useCall(lessonApi.publictyRounds, { liId })
  if (rounds.length < 2) return null
  return (
    <table className="small-table">
      <caption>历次公示</caption>
      <thead>
        <tr>
          <th>次序</th>
          <th>公示期</th>
          <th>状态</th>
          <th>发布人</th>
          <th>说明</th>
        </tr>
      </thead>
      <tbody>
        {rounds.map(({ roundNo, liPublictySdate, liPublictyEdate, publictyStatus, startName, endName, endReason }) => (
          <tr key={roundNo}>
            <th scope="row">第 {roundNo} 次</th>
            <td>
              {liPublictySdate.slice(0, 10)} 至 {liPublictyEdate.slice(0, 10)}
            </td>
            <td>{labelOf('publicty_status', publictyStatus)}</td>
            <td>{startName}</td>
            <td>{[endReason, endName].filter(Boolean).join(' · ') || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
