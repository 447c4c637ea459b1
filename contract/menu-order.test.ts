import { expect, test } from 'vitest'
import { screens } from './screens.ts'

/** The menu in the order in which the specification names its screens; ours stand behind theirs. */
test.each([
  ['课程管理', ['CurriculumList', 'Question', 'RecordingCourse', 'Reward']],
  ['审批管理', ['publishCheck', 'resultCheck', 'informCheck', 'supplementCheck']],
  [
    '统计分析',
    [
      'loginStatistics',
      'ReleaseStatistics',
      'RecordStatistics',
      'AbilityStatistics',
      'CircleStatistics',
      'StudentStatistics',
      'TeacherStatistics',
      'ThresholdStatistics',
      'QualityModel2',
    ],
  ],
  ['个人中心', ['course', 'community', 'message', 'sendMessage', 'modifyPwd']],
])('%s', (group, names) => {
  const shown = screens.filter((screen) => screen.group === group && !('hidden' in screen && screen.hidden))
  expect(shown.map(({ path }) => path.split('/').at(-1)).filter((name) => names.includes(name!))).toEqual(names)
})
