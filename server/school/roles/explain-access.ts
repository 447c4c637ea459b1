import type { RightReach } from '../../../contract/school/roles/access.schema.ts'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import { scopeIncludes, type Location } from '../../core/request/scope-check.ts'
import { touches, within, type Parents } from './own-reach.ts'

/** A membership as far as it bears on one right. `off` says why it gives nothing. */
export interface Holding {
  srName: string
  has: boolean
  off: string | null
  scope: Scope
  areaText: string
}

/** The record a right is tried on. */
export interface Subject {
  /** 学生“张三”. */
  title: string
  /** Where it lies, in words. */
  hint: string
  place: Location
  /** A college or major stands for all that lies in it; absent where the record is meant itself. */
  area?: Area
  relations: readonly string[]
  hasTask: boolean
}

export interface Question {
  who: string
  right: string
  /** Why they cannot sign in at all. */
  accountOff: string | null
  holdings: readonly Holding[]
  reach: RightReach
  subject?: Subject | undefined
  parents: Parents
}

interface Explanation {
  verdict: 'yes' | 'part' | 'no'
  missing: 'account' | 'right' | 'area' | 'task' | null
  reasons: string[]
}

/**
 * Whether somebody's right reaches a record, and why, in words. Says what the pipeline, the queries and the tables of
 * moves do.
 */
export function explainAccess({ who, right, accountOff, holdings, reach, subject, parents }: Question): Explanation {
  if (accountOff) return { verdict: 'no', missing: 'account', reasons: [accountOff] }
  const holding = holdings.filter(({ has, off }) => has && !off)
  if (holding.length === 0) return { verdict: 'no', missing: 'right', reasons: withoutRight(who, right, holdings) }
  if (reach.by === 'none')
    return {
      verdict: 'yes',
      missing: null,
      reasons: [
        ...holding.map(({ srName }) => `角色“${srName}”含有“${right}”权限。`),
        '该权限针对全校的配置，不区分管理范围。',
      ],
    }
  if (!subject) return withoutSubject(right, holding, reach)
  if (reach.by === 'task') {
    return subject.hasTask
      ? {
          verdict: 'yes',
          missing: null,
          reasons: [`角色“${holding[0]!.srName}”含有“${right}”权限。`, `${who} 是${subject.title}当前步骤的审批人。`],
        }
      : {
          verdict: 'no',
          missing: 'task',
          reasons: [
            `角色“${holding[0]!.srName}”含有“${right}”权限，但审批由流程指派：${who} 不是${subject.title}当前步骤的审批人。`,
          ],
        }
  }
  return bySubject(who, right, holding, subject, parents)
}

function withoutRight(who: string, right: string, holdings: readonly Holding[]): string[] {
  const off = holdings
    .filter(({ has, off: why }) => has && why)
    .map(({ srName, off: why }) => `角色“${srName}”含有“${right}”权限，但${why}。`)
  if (off.length > 0) return off
  if (holdings.length === 0) return [`${who} 没有任何角色。`]
  return [`${who} 的角色（${holdings.map(({ srName }) => srName).join('、')}）都不含“${right}”权限。`]
}

const nothingText = '没有设置管理范围，看不到任何数据'

function withoutSubject(right: string, holding: readonly Holding[], reach: RightReach): Explanation {
  const reasons = holding.map(
    ({ srName, areaText }) =>
      `角色“${srName}”含有“${right}”权限，${areaText ? `管理范围：${areaText}` : nothingText}。`,
  )
  if (reach.by === 'task')
    return {
      verdict: 'yes',
      missing: null,
      reasons: [...reasons.map((text) => `${text.split('，')[0]}。`), '能处理哪些事项由流程指派，不看管理范围。'],
    }
  return { verdict: 'yes', missing: null, reasons }
}

function bySubject(
  who: string,
  right: string,
  holding: readonly Holding[],
  subject: Subject,
  parents: Parents,
): Explanation {
  const { title, hint, place, area, relations } = subject
  const reaches = (scope: Scope) =>
    area ? within(scope, { whole: false, areas: [area] }, parents) : scopeIncludes(scope, place)
  const named = `${title}${hint && `（${hint}）`}`
  const covering = holding.filter(({ scope }) => reaches(scope))
  if (covering.length > 0)
    return {
      verdict: 'yes',
      missing: null,
      reasons: covering.map(
        ({ srName, areaText }) => `角色“${srName}”含有“${right}”权限，其管理范围“${areaText}”包括${named}。`,
      ),
    }
  if (relations.length > 0)
    return {
      verdict: 'yes',
      missing: null,
      reasons: [
        `角色“${holding[0]!.srName}”含有“${right}”权限。`,
        `${who} 是${title}的${relations.join('、')}，自己的课程不受管理范围限制。`,
      ],
    }
  const partly = area ? holding.filter(({ scope }) => touches(scope, area, parents)) : []
  if (partly.length > 0)
    return {
      verdict: 'part',
      missing: 'area',
      reasons: partly.map(
        ({ srName, areaText }) =>
          `角色“${srName}”含有“${right}”权限，但其管理范围“${areaText}”只包括${named}的一部分。`,
      ),
    }
  return {
    verdict: 'no',
    missing: 'area',
    reasons: holding.map(
      ({ srName, areaText }) =>
        `角色“${srName}”含有“${right}”权限，但${areaText ? `其管理范围“${areaText}”不包括${named}` : nothingText}。`,
    ),
  }
}
