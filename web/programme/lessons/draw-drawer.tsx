import { Button, Drawer, Popconfirm } from 'antd'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { isTeamCourse } from '../../../contract/programme/lessons/team-fields.ts'
import { download } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { applyTones } from '../../shared/lessons/participant-columns.tsx'
import { figure } from '../../core/service/figure.ts'

type Draw = NonNullable<Output<typeof admissionApi.drawInfo>>

/**
 * Drawing lots for a course: what was promised before, the draw, and afterwards everything somebody needs to do it
 * again.
 */
export function DrawDrawer({ lesson, onClose }: { lesson: LessonDetail; onClose: () => void }) {
  const { liId, liName } = lesson
  const [isOpen, setOpen] = useState(true)
  const isPhone = useIsPhone()
  const { data: draw } = useCall(admissionApi.drawInfo, { liId })
  return (
    <Drawer
      open={isOpen}
      title={`抽签：${liName}`}
      size={isPhone ? '100%' : 640}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
    >
      {draw ? (
        <DrawPanel liId={liId} draw={draw} unit={isTeamCourse(lesson) ? '队' : '人'} />
      ) : draw === null ? (
        <p className="nothing">本课程不是抽签录取</p>
      ) : (
        <ReadSkeleton />
      )}
    </Drawer>
  )
}

interface DrawPartProps {
  liId: string
  draw: Draw
  /** What draws a ticket: a person or a team. */
  unit: '人' | '队'
}

function DrawPanel({ liId, draw, unit }: DrawPartProps) {
  const { send, isSending } = useSend(admissionApi.draw)
  const may = usePermission()
  const run = () =>
    send({ liId })
      .then(({ affected, waiting, refused }) =>
        notify(
          'success',
          `已抽签：录取 ${figure(affected)} 人${waiting > 0 ? `，候补 ${figure(waiting)} 人` : ''}${refused > 0 ? `，未中签 ${figure(refused)} 人` : ''}`,
        ),
      )
      .catch(() => undefined)
  const isDrawn = draw.drawnTime !== null
  return (
    <div className="draw-panel">
      <dl className="draw-facts">
        <div>
          <dt>参加抽签</dt>
          <dd>
            {figure(draw.entrants)} {unit}
            {draw.places !== null && `，名额 ${figure(draw.places)} 个`}
          </dd>
        </div>
        <div>
          <dt>
            种子摘要
            <small>SHA-256，{draw.committedTime ? `${draw.committedTime.slice(0, 16)} 公布` : '课程发布后公布'}</small>
          </dt>
          <dd className="draw-code">{draw.digest || '—'}</dd>
        </div>
        <div>
          <dt>
            种子<small>{isDrawn ? `${draw.drawnTime!.slice(0, 16)} 公布` : '抽签后公布'}</small>
          </dt>
          <dd className="draw-code">{draw.seed ?? '—'}</dd>
        </div>
        {isDrawn && (
          <div>
            <dt>抽签人</dt>
            <dd>{draw.drawnBy}</dd>
          </div>
        )}
      </dl>
      {!isDrawn && (
        <p className="draw-note">
          种子在有人报名之前已经确定，摘要先行公布，抽签后再公布种子，任何人都不能事后更换。
          {draw.opens && `报名于 ${draw.opens.slice(0, 16)} 截止，之后可以抽签；`}
          {draw.due && `${draw.due.slice(0, 16)} 仍未抽签的，由系统自动抽签。`}
        </p>
      )}
      {draw.can.includes('draw') && may(admissionApi.draw) && (
        <Popconfirm
          title="确认现在抽签？"
          description={`将从 ${draw.entrants} ${unit}中按名额录取，结果立即通知学生，不能重来。`}
          okText="抽签"
          cancelText="取消"
          onConfirm={run}
        >
          <Button
            type="primary"
            loading={isSending}
            disabled={draw.entrants === 0}
            authority-type={admissionApi.draw.permit}
          >
            开始抽签
          </Button>
        </Popconfirm>
      )}
      {isDrawn && <Ranking liId={liId} draw={draw} unit={unit} />}
    </div>
  )
}

function Ranking({ liId, draw: { ranked, entrants }, unit }: DrawPartProps) {
  const number = unit === '队' ? '队伍编号' : '报名编号'
  return (
    <>
      <p className="draw-note">
        核对方法：签号 ＝ SHA-256(种子:{number})，按签号从小到大依次录取。例如{' '}
        <code>{`printf '%s' '种子:${number}' | sha256sum`}</code>
      </p>
      <Button
        onClick={() => void download(admissionApi.drawSheet, { liId }).catch(() => undefined)}
        authority-type={admissionApi.drawSheet.permit}
      >
        下载抽签记录
      </Button>
      {ranked.length < entrants && <p className="nothing">只列出前 {ranked.length} 名，全部见抽签记录</p>}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="抽签顺序">
        <table className="small-table">
          <thead>
            <tr>
              <th>顺序</th>
              <th>{unit === '队' ? '队伍' : '姓名'}</th>
              <th>{unit === '队' ? '人数' : '学号'}</th>
              <th>{number}与签号</th>
              <th>结果</th>
            </tr>
          </thead>
          <tbody>
            {ranked.map(({ drawNo, laId, suiName, suiNumber, ticket, laStatus }) => (
              <tr key={laId}>
                <td>{drawNo}</td>
                <td className="no-break">{suiName}</td>
                <td>{suiNumber}</td>
                <td className="draw-code">
                  <span>{laId}</span>
                  <span title={ticket}>{ticket.slice(0, 16)}…</span>
                </td>
                <td>
                  <DictionaryChip type="apply_status" value={laStatus} tones={applyTones} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
