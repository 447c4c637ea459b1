import { z } from 'zod'
import { eduLevel } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { choice, done, id, ids, option, pick, search, text, version, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { majorRow, under } from './organisation.schema.ts'

/** A major as its form sends it. Moving it to another college takes its classes and students along. */
const majorForm = z.strictObject({
  smId: id('专业').optional(),
  version: version.optional(),
  smName: text('专业名称', 50),
  smCode: text('专业代码', 20),
  scId: choice('所属学院'),
  eduLevel: pick('层次', valuesOf('edu_level')).default(eduLevel.bachelor),
  years: integer('学制', 1, 9).default(4),
  scSort: integer('排序', 0, 9999).default(0),
})

const filters = {
  smName: search('专业名称').optional(),
  smCode: search('专业代码').optional(),
  scId: id('学院').optional(),
  eduLevel: pick('层次', valuesOf('edu_level')).optional(),
}

export const majorApi = {
  list: call('POST', '/schoolCollege/majorList', {
    summary: '专业列表',
    permit: 'major:list',
    writes: false,
    input: sortedPaging.extend(filters),
    output: paged(majorRow),
  }),
  exportList: fileCall('POST', '/schoolCollege/majorExport', {
    summary: '导出专业',
    permit: 'major:list',
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  save: call('POST', '/schoolCollege/majorAddOrEdit', {
    summary: '保存专业',
    permit: 'major:edit',
    alsoNamed: { majorId: 'smId' },
    input: majorForm,
    output: z.object({ smId: z.string() }),
  }),
  remove: call('DELETE', '/schoolCollege/majorDelete', {
    summary: '删除专业',
    permit: 'major:delete',
    input: z.strictObject({ ids }),
    output: done,
  }),
  options: call('GET', '/schoolCollege/majorIdNameList/{id}', {
    summary: '专业下拉',
    permit: 'signed-in',
    input: z.object({ id: id('学院'), under }),
    output: z.array(option),
  }),
}
