import fc from 'fast-check'
import { roleSeeds, expandPermits } from '../school/roles/role-seeds.ts'
import { allPermits } from '../../contract/index.ts'
import { grantRole } from '../school/roles/grants.service.ts'
import { newId } from '../core/base/ids.ts'
import type { Wanted } from './statistics-oracle.ts'
import type { Asker, Part } from './statistics-visibility.ts'
import { later } from './statistics-spans.ts'
import type { StatisticsWorld } from './statistics-world.ts'

const permitsOf = (srCode: string) =>
  expandPermits(roleSeeds.find((role) => role.srCode === srCode)!.permits, allPermits.keys())

/** People who ask: for all of the school, for one part of it of every kind, and by several roles at once. */
export async function addAskers({
  school,
  colleges,
  majors,
  classes,
  sdId,
  curriculum,
}: StatisticsWorld & { curriculum: { module: string; node: string } }): Promise<Asker[]> {
  let number = 100
  const asker = async (name: string, ...roles: [srCode: string, area: Part][]): Promise<Asker> => {
    const granted = roles.map(
      ([srCode, area]) =>
        [
          srCode,
          Object.entries(area).map(([caType, caTarget]) => ({ caType: caType as keyof Part, caTarget })),
        ] as const,
    )
    const [first, ...more] = granted
    const { client, suId } = await school.person(first![0], [...first![1]], { suiNumber: String(number++) })
    for (const [srCode, targets] of more)
      await grantRole(school.ctx.db, school.schoolId, school.roles[srCode]!, suId, targets)
    return {
      name,
      client,
      roles: roles.map(([srCode, area]) => ({
        permits: permitsOf(srCode),
        area: Object.keys(area).length === 0 ? ('whole' as const) : area,
      })),
    }
  }
  const [college, other] = colleges as [string, string]
  return [
    { name: '校级', client: school.admin, roles: [{ permits: permitsOf('SCHOOL_ADMIN'), area: 'whole' }] },
    await asker('学院', ['COLLEGE_LEAGUE', { college }]),
    await asker('专业', ['COLLEGE_LEAGUE', { major: majors[0]! }]),
    await asker('年级', ['COLLEGE_LEAGUE', { grade: '2024' }]),
    await asker('学院年级', ['COLLEGE_LEAGUE', { college: other, grade: '2023' }]),
    await asker('班级', ['COUNSELOR', { class: classes[2]!.scClassId }]),
    // sees figures of everybody, and what is sensitive of nobody
    await asker('校领导', ['DATA_VIEWER', {}]),
    await asker('部门', ['DEPT_ADMIN', { department: sdId }]),
    await asker('模块', ['MODULE_OWNER', { curriculum: curriculum.module }]),
    await asker('模块节点', ['MODULE_OWNER', { curriculum: curriculum.node }]),
    await asker('学院模块', ['MODULE_OWNER', { college, curriculum: curriculum.module }]),
    await asker(
      '多角色',
      ['COUNSELOR', { class: classes[0]!.scClassId }],
      ['MODULE_OWNER', { curriculum: curriculum.module }],
      ['COLLEGE_LEAGUE', { college: other }],
      ['DEPT_ADMIN', { department: sdId }],
    ),
  ]
}

/** Selections: any filters together, terms, months and open edges, also such that nothing is left. */
export function selections(
  { school, colleges, majors, classes, circleClasses }: StatisticsWorld,
  terms: readonly { tmStart: string; tmEnd: string }[],
  nodes: readonly string[],
): fc.Arbitrary<Wanted> {
  const today = school.ctx.clock.now().slice(0, 10)
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
  const rarely = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
  const day = fc.integer({ min: -520, max: 30 }).map((ahead) => later(today, ahead))
  const days = fc
    .tuple(day, fc.constantFrom(0, 6, 30, 91, 92, 150, 400))
    .map(([from, more]) => [from, later(from, more)] as const)
  const month = day.map(
    (one) => [`${one.slice(0, 7)}-01`, later(`${later(`${one.slice(0, 7)}-01`, 32).slice(0, 7)}-01`, -1)] as const,
  )
  const term = fc.constantFrom(...terms).map(({ tmStart, tmEnd }) => [tmStart, tmEnd] as const)
  const edges = fc
    .oneof({ weight: 4, arbitrary: days }, { weight: 1, arbitrary: month }, { weight: 2, arbitrary: term })
    .map(([from, to]) => ({ startTime: `${from} 00:00:00`, endTime: `${to} 23:59:59` }))
  const period = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 5, arbitrary: edges },
    { weight: 1, arbitrary: edges.map(({ startTime }) => ({ startTime })) },
    { weight: 1, arbitrary: edges.map(({ endTime }) => ({ endTime })) },
  )
  const filters = fc.record({
    collegeId: rarely(fc.constantFrom(...colleges)),
    majorId: rarely(fc.constantFrom(...majors)),
    scClassId: rarely(fc.constantFrom(...classes.map(({ scClassId }) => scClassId), newId())),
    grade: rarely(fc.constantFrom('2023', '2024', '1999')),
    everybody: maybe(fc.constant('1' as const)),
    lsId: rarely(fc.constantFrom(...nodes)),
    llId: rarely(fc.constantFrom('2', '3', '5')),
    ciClass: rarely(fc.constantFrom(...circleClasses)),
    ciLevel: rarely(fc.constantFrom('1' as const, '2' as const)),
  })
  return fc
    .tuple(period, filters)
    .map(
      ([span, rest]) =>
        Object.fromEntries(Object.entries({ ...span, ...rest }).filter(([, value]) => value !== undefined)) as Wanted,
    )
}
