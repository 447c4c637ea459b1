import { dictionary } from '../../core/dictionary.ts'
import { sheet } from '../../core/sheets.ts'
import { fieldLabel, fieldsTelling, lessonFields } from './lesson-fields.ts'

const words = (entries: readonly (readonly [string, string])[]) => entries.map(([, label]) => label)

const importedColumns = fieldsTelling('imported').map(([key, column]) => ({
  key,
  label: fieldLabel(key),
  required: !lessonFields[key].schema.safeParse(undefined).success,
  ...column,
}))

/** Courses planned in a sheet; each row becomes a draft. */
export const lessonSheet = sheet({
  kind: 'lesson',
  title: '课程',
  version: 1,
  columns: [
    {
      key: 'liName',
      label: '课程名称',
      required: true,
      max: 200,
      isLine: true,
      width: 32,
      hint: '本学期同一主办单位内不重复，系列活动请注明期次',
    },
    { key: 'lsName', label: '课程体系', required: true, kind: 'choice', width: 26, aliases: ['课程模块'] },
    { key: 'levelName', label: '课程级别', required: true, kind: 'choice', aliases: ['级别'] },
    { key: 'liKind', label: '课程类型', kind: 'choice', choices: words(dictionary.lesson_kind), hint: '不填为活动' },
    {
      key: 'liForm',
      label: '开展形式',
      kind: 'choice',
      choices: words(dictionary.lesson_form),
      hint: '不填为线下现场',
    },
    { key: 'collegeName', label: '主办学院', max: 100, width: 20, hint: '不填为您所在学院' },
    {
      key: 'principalNumber',
      isCode: true,
      label: '负责人工号',
      required: true,
      max: 50,
      width: 16,
      hint: '学工号',
    },
    { key: 'startTime', label: '活动开始时间', required: true, kind: 'moment', width: 18 },
    { key: 'endTime', label: '活动结束时间', required: true, kind: 'moment', width: 18 },
    { key: 'placeText', label: '活动地点', required: true, max: 100, width: 22 },
    {
      key: 'applyWay',
      label: '报名方式',
      kind: 'choice',
      choices: words(dictionary.apply_way),
      hint: '不填为审核录取',
    },
    { key: 'applyStart', label: '报名开始时间', kind: 'moment', width: 18, hint: '导入名单或无需报名时可不填' },
    { key: 'applyEnd', label: '报名截止时间', kind: 'moment', width: 18, hint: '不晚于活动开始时间' },
    { key: 'quota', label: '名额', required: true, kind: 'integer', min: 1, max: 100_000 },
    { key: 'liHours', label: '认定学时', kind: 'amount', max: 200, hint: '不填则按评价规则认定' },
    { key: 'atName', label: '奖励模板', kind: 'choice', hint: '不填为不设奖项' },
    ...importedColumns,
  ],
})
