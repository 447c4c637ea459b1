import { sheet } from '../../core/sheets.ts'

/** Days of the week as the timetable names them, Monday first. */
export const weekdayLabels = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

/** The timetable of classes as 教务 systems export it: a row for each meeting of a class in the week. */
export const timetableSheet = sheet({
  kind: 'timetable',
  title: '课表',
  version: 1,
  columns: [
    { key: 'tmName', label: '学期', aliases: ['学年学期'], max: 40, width: 22, hint: '不填为当前学期' },
    {
      key: 'scClassName',
      label: '班级',
      aliases: ['班级名称', '行政班', '班级编码'],
      required: true,
      max: 50,
      width: 22,
      hint: '班级名称；有同名班级时填班级编码',
    },
    { key: 'ctName', label: '课程名称', aliases: ['课程', '课程名'], required: true, max: 100, width: 26 },
    {
      key: 'weekday',
      label: '星期',
      aliases: ['上课星期', '星期几'],
      required: true,
      kind: 'choice',
      choices: [...weekdayLabels],
      width: 8,
    },
    { key: 'startAt', label: '开始时间', aliases: ['上课时间'], required: true, max: 8, width: 10, hint: '如 08:00' },
    { key: 'endAt', label: '结束时间', aliases: ['下课时间'], required: true, max: 8, width: 10, hint: '如 09:35' },
    {
      key: 'weeks',
      label: '周次',
      aliases: ['上课周次', '起止周'],
      required: true,
      max: 60,
      width: 16,
      hint: '如 1-16、1-15单、2,4,6-8',
    },
    { key: 'placeText', label: '地点', aliases: ['教室', '上课地点'], max: 100, width: 18 },
  ],
})
