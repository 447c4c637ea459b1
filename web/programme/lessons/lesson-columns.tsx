import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { LessonFigures, LessonStatus, periodText, shortPeriod } from '../../shared/lessons/lesson-status.tsx'

/** What every list of courses begins with: name, state, figures and time. @param to the page of a course */
export const firstColumns = (to: (lesson: LessonRow) => string): Column<LessonRow>[] => [
  { title: '课程名称', dataIndex: 'liName', width: 220, fixed: 'left', sorter: true, to },
  { title: '状态', dataIndex: 'liStatus', width: 112, render: (_, row) => <LessonStatus lesson={row} /> },
  { title: '进展', key: 'figures', width: 132, render: (_, row) => <LessonFigures lesson={row} /> },
  {
    title: '活动时间',
    dataIndex: 'startTime',
    width: 156,
    sorter: true,
    render: (_, { startTime, endTime }) => (
      <span className="figures" title={periodText(startTime, endTime)}>
        {shortPeriod(startTime, endTime)}
      </span>
    ),
  },
]
