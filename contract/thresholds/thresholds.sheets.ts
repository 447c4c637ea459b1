import { sheet } from '../core/sheets.ts'

/** Base values of warnings: a row for each year, measure and term. */
export const thresholdSheet = sheet({
  kind: 'threshold',
  title: '预警基准值',
  version: 1,
  columns: [
    { key: 'grade', label: '年级', required: true, max: 4, width: 10, hint: '四位年份，如 2024' },
    { key: 'target', label: '指标', aliases: ['模块', '指标或模块'], required: true, max: 50, width: 18, hint: '模块名称，或 总学时、志愿时长、诚信分' },
    { key: 'checkpointTerm', label: '检查点学期', aliases: ['学期'], kind: 'integer', required: true, min: 1, max: 16, width: 12, hint: '入学后第几学期末，1 至 16' },
    { key: 'required', label: '要求', aliases: ['应达到'], kind: 'amount', required: true, max: 1000, width: 10 },
    { key: 'warn1', label: '一般警告线', aliases: ['一般警告'], kind: 'amount', required: true, max: 1000, width: 12, hint: '低于此数为一般警告' },
    { key: 'warn2', label: '警告线', aliases: ['警告'], kind: 'amount', required: true, max: 1000, width: 10, hint: '不高于一般警告线' },
    { key: 'warn3', label: '严重警告线', aliases: ['严重警告'], kind: 'amount', required: true, max: 1000, width: 12, hint: '不高于警告线' },
  ],
})
