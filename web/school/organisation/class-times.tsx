import { Drawer } from 'antd'
import { useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { weekdayLabels } from '../../../contract/school/organisation/timetable.sheets.ts'
import { actionOn } from '../../core/action/action.tsx'
import { startAction } from '../../core/action/action-dialog.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { useCall } from '../../core/service/use-call.ts'

type Time = Output<typeof classApi.times>[number]
const remove = actionOn<Time>().remove({
  call: classApi.removeTimes,
  unit: '节课',
  fits: () => true,
  input: (rows) => ({ ids: rows.map(({ ctId }) => ctId) }),
})
const hoursOf = ({ weekday, startAt, endAt }: Time): string => `${weekdayLabels[weekday - 1]!} ${startAt}–${endAt}`

/** The timetable of a class: what activities are held against. */
export function ClassTimes({
  row: { scClassId, scClassName },
  onClose,
}: {
  row: { scClassId: string; scClassName: string }
  onClose: () => void
}) {
  const [isOpen, setOpen] = useState(true)
  const { data: times } = useCall(classApi.times, { scClassId })
  return (
    <Drawer
      open={isOpen}
      size={720}
      title={
        <>
          课表
          <small className="drawer-sub">{scClassName}</small>
        </>
      }
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
    >
      {times === undefined && <ReadSkeleton title={false} paragraph={{ rows: 5 }} />}
      {times?.length === 0 && (
        <EmptyState text="暂无课表" hint="用“导入课表”导入教务系统导出的课表，报名与申报课程时会提示冲突。" />
      )}
      {times && times.length > 0 && (
        <table className="small-table">
          <thead>
            <tr>
              <th>学期</th>
              <th>课程</th>
              <th>时间</th>
              <th>周次</th>
              <th>地点</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {times.map((time) => (
              <tr key={time.ctId}>
                <td>{time.tmName}</td>
                <td>{time.ctName}</td>
                <td>{hoursOf(time)}</td>
                <td>{time.weeks}</td>
                <td>{time.placeText}</td>
                <td>
                  <ActionButton
                    to={classApi.removeTimes}
                    size="small"
                    onClick={() => startAction(remove, [time], (row) => `${row.ctName}（${hoursOf(row)}）`)}
                  >
                    删除
                  </ActionButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Drawer>
  )
}
