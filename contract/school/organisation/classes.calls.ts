import { z } from 'zod'
import { call } from '../../core/call.ts'
import { choice, done, flag, id, ids, option, optionalText, search, text, version, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { classRow, under } from './organisation.schema.ts'

/** A year of entry, `2023`. */
export const grade = z
  .string('请选择年级')
  .regex(/^(19|20)\d\d$/, '年级须为四位年份，如 2023')
  .meta({ label: '年级', max: 4 })

/** A class as its form sends it. Moving it to another major or year takes its students along. */
const classForm = z.strictObject({
  scClassId: id('班级').optional(),
  version: version.optional(),
  scClassName: text('班级名称', 50),
  scClassCode: optionalText('班级编码', 30),
  scId: choice('所属学院'),
  smId: choice('所属专业'),
  scClassGrade: grade,
  counselorId: id('辅导员').optional(),
  headTeacherId: id('班主任').optional(),
  scClassSort: integer('排序', 0, 9999).default(0),
})

const filters = {
  scClassName: search('班级名称').optional(),
  scId: id('学院').optional(),
  smId: id('专业').optional(),
  scClassGrade: grade.optional(),
  counselorId: id('辅导员').optional(),
  hasSecretary: flag('团支书').optional(),
}

export const classApi = {
  list: call('POST', '/schoolCollege/classList', {
    summary: '班级列表',
    permit: 'class:list',
    writes: false,
    alsoNamed: { majorId: 'smId' },
    input: sortedPaging.extend(filters),
    output: paged(classRow),
  }),
  exportList: fileCall('POST', '/schoolCollege/classExport', {
    summary: '导出班级',
    permit: 'class:list',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  save: call('POST', '/schoolCollege/classAddOrEdit', {
    summary: '保存班级',
    permit: 'class:edit',
    alsoNamed: { majorId: 'smId' },
    input: classForm,
    output: z.object({ scClassId: z.string() }),
  }),
  remove: call('DELETE', '/schoolCollege/classDelete', {
    summary: '删除班级',
    permit: 'class:delete',
    input: z.strictObject({ ids }),
    output: done,
  }),
  /** The timetable of a class, as it was imported. */
  times: call('GET', '/schoolCollege/classTimes', {
    summary: '班级课表',
    permit: 'class:list',
    input: z.object({ scClassId: id('班级') }),
    output: z.array(
      z.object({
        ctId: z.string(),
        tmName: z.string(),
        ctName: z.string(),
        /** 1 Monday to 7 Sunday. */
        weekday: z.number(),
        startAt: z.string(),
        endAt: z.string(),
        /** `1-8,10`. */
        weeks: z.string(),
        placeText: z.string(),
      }),
    ),
  }),
  removeTimes: call('POST', '/schoolCollege/delClassTimes', {
    summary: '删除课表',
    permit: 'class:edit',
    input: z.strictObject({ ids }),
    output: done,
  }),
  options: call('GET', '/schoolCollege/classIdNameList', {
    summary: '班级下拉',
    permit: 'signed-in',
    input: z.object({ majorId: id('专业'), grade: grade.optional(), under }),
    output: z.array(option.extend({ grade: z.string() })),
  }),
}
