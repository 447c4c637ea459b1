import { z } from 'zod'
import { valuesOf } from '../../core/dictionary.ts'
import { id, integer, pick } from '../../core/fields.ts'
import type { LessonField } from './lesson-field.ts'

/** Degrees with six places: about a tenth of a metre. */
const degrees = (label: string, max: number) =>
  z.coerce.number(`${label}不正确`).min(-max, `${label}不正确`).max(max, `${label}不正确`).meta({ label })

/** For whom a course is beyond college and grade, how its places are shared out, and where people sign in. */
export const admissionFields = {
  rangeMajors: {
    schema: z.array(id('专业')).max(200, '专业最多 200 个').default([]).meta({ label: '可报名专业' }),
    stored: 'value',
    change: 'approved',
    refersTo: 'major',
    none: '不限',
  },
  rangeClasses: {
    schema: z.array(id('班级')).max(500, '班级最多 500 个').default([]).meta({ label: '可报名班级' }),
    stored: 'value',
    change: 'approved',
    refersTo: 'schoolClass',
    none: '不限',
  },
  rangeCircles: {
    schema: z.array(id('圈子')).max(100, '圈子最多 100 个').default([]).meta({ label: '可报名圈子' }),
    stored: 'value',
    change: 'approved',
    refersTo: 'circle',
    none: '不限',
  },
  rangePolitical: {
    schema: z
      .array(pick('政治面貌', valuesOf('political')))
      .max(20)
      .default([])
      .meta({ label: '可报名政治面貌' }),
    stored: 'value',
    change: 'approved',
    detail: z.array(z.string()),
    dictionary: 'political',
    none: '不限',
  },
  rangeSexes: {
    schema: z
      .array(pick('性别', valuesOf('sex')))
      .max(3)
      .default([])
      .meta({ label: '可报名性别' }),
    stored: 'value',
    change: 'approved',
    detail: z.array(z.string()),
    dictionary: 'sex',
    none: '不限',
  },
  /** Places of single colleges; a college that is not named only shares the places of all. */
  quotaByCollege: {
    schema: z
      .array(z.strictObject({ scId: id('学院'), quota: integer('学院名额', 0, 100_000) }))
      .max(200, '学院最多 200 个')
      .default([])
      .meta({ label: '学院名额' }),
    stored: 'json',
    change: 'free',
  },
  /** Students who have a place from the publication on, before anybody registers. */
  reservedIds: {
    schema: z.array(id('学生')).max(200, '预留名单最多 200 人').default([]).meta({ label: '预留名单' }),
    stored: 'value',
    change: 'approved',
    refersTo: 'person',
    none: '无',
  },
  signLng: { schema: degrees('经度', 180).optional(), stored: 'null', change: 'free', detail: z.number().nullable() },
  signLat: { schema: degrees('纬度', 90).optional(), stored: 'null', change: 'free', detail: z.number().nullable() },
  signRadius: {
    schema: integer('签到距离', 10, 10_000).optional(),
    stored: 'null',
    change: 'free',
    detail: z.number().nullable(),
    unit: ' 米',
  },
} as const satisfies Record<string, LessonField>

/** What the fields say that does not go together, each with its field. */
export function admissionFaults({
  quotaByCollege = [],
  signLng,
  signLat,
}: {
  quotaByCollege?: readonly { scId: string }[]
  signLng?: number | undefined
  signLat?: number | undefined
}): [string, string][] {
  const faults: [string, string][] = []
  if (new Set(quotaByCollege.map(({ scId }) => scId)).size < quotaByCollege.length)
    faults.push(['quotaByCollege', '同一学院只能出现一次'])
  if ((signLng === undefined) !== (signLat === undefined))
    faults.push([signLng === undefined ? 'signLng' : 'signLat', '经度与纬度须同时填写'])
  return faults
}
