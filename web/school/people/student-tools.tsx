import { useState } from 'react'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { activationApi } from '../../../contract/school/session/activation.calls.ts'
import { MoreTools } from '../../core/parts/more-tools.tsx'
import { usePermission } from '../../core/service/rights.ts'
import type { List } from '../../core/list/use-list.ts'
import { ScoreExportDialog } from '../../shared/transcripts/score-export.tsx'
import { CredibilityCourseDialog } from '../../shared/people/credibility-course.tsx'
import { ActivationSlipsDialog } from './activation-slips.tsx'
import { studentPaths } from './people-paths.ts'
import { figure } from '../../core/service/figure.ts'

/** What can be done from the student list that is not about single students. */
export function StudentTools({ list }: { list: Pick<List<unknown>, 'query' | 'total' | 'hasFilters'> }) {
  const [open, setOpen] = useState<'scores' | 'course' | 'slips'>()
  const maySeeCourses = usePermission()(lessonApi.list)
  const close = () => setOpen(undefined)
  const { sort: _, order: __, ...filter } = list.query
  return (
    <>
      <MoreTools
        tools={[
          { to: scoreExportApi.export, label: '导出学生成绩', onClick: () => setOpen('scores') },
          { to: activationApi.slips, label: '打印账号激活单', onClick: () => setOpen('slips') },
          ...(maySeeCourses
            ? [{ to: credibilityApi.restoreByLesson, label: '按课程恢复诚信分', onClick: () => setOpen('course') }]
            : []),
          { to: graduationApi.preview, label: '毕业办理', href: studentPaths.graduation },
        ]}
      />
      {open === 'scores' && (
        <ScoreExportDialog
          filter={filter}
          whose={`${list.hasFilters ? '符合当前条件的' : '全部'} ${figure(list.total)} 名学生`}
          rows={list.total}
          onClose={close}
        />
      )}
      {open === 'slips' && (
        <ActivationSlipsDialog
          filter={filter}
          whose={`${list.hasFilters ? '符合当前条件的' : '全部'} ${figure(list.total)} 名学生`}
          onClose={close}
        />
      )}
      {open === 'course' && <CredibilityCourseDialog onClose={close} />}
    </>
  )
}
