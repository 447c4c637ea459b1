import { call } from '../../core/call.ts'
import { id, search } from '../../core/fields.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { personCourse } from './person-lessons.calls.ts'

export const circleLessonApi = {
  /** From publication on, and whatever the asking person may see besides. */
  ofCircle: call('GET', '/circleInfo/circleLessons', {
    summary: '圈子的活动',
    permit: 'circle:list',
    input: paging.extend({
      ciId: id('圈子'),
      liName: search('课程名称').optional(),
      ...sortedBy('startTime', 'liName'),
    }),
    output: paged(personCourse),
  }),
}
