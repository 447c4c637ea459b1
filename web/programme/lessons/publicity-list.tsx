import type { Output } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { ListTable } from '../../core/list/list-table.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'

/** A masked person has nothing of their own to be told by, so the place in the list is their key. */
type Row = Output<typeof lessonApi.publictyList>['records'][number] & { place: string }

const columns: Column<Row>[] = [
  { title: '姓名', dataIndex: 'suiName', width: 120 },
  { title: '学号', dataIndex: 'suiNumber', width: 160 },
  { title: '学院', dataIndex: 'collegeName' },
  { title: '结果', dataIndex: 'awardName', width: 140 },
  { title: '学时', dataIndex: 'hours', width: 90, number: true },
]

/** The list as the public sees it: names and numbers masked. */
export function PublicityList({ lesson }: { lesson: LessonDetail }) {
  const list = useList(lessonApi.publictyList, { fixed: { liId: lesson.liId }, keep: 'memory' })
  const rows = list.rows.map((row, at) => ({ ...row, place: `${list.state.current}-${at}` }))
  const period =
    lesson.liPublictySdate && lesson.liPublictyEdate
      ? `公示期 ${lesson.liPublictySdate.slice(0, 10)} 至 ${lesson.liPublictyEdate.slice(0, 10)}。`
      : '尚未公示，以下为将公示的名单。'
  return (
    <>
      <p className="tab-note">{period}姓名与学号按公示要求脱敏显示。</p>
      <Rounds liId={lesson.liId} />
      <ListTable
        list={{ ...list, rows }}
        rowKey="place"
        columns={columns}
        name="publicity"
        empty={{ text: '暂无公示名单' }}
      />
    </>
  )
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
