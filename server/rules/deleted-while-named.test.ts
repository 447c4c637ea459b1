import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { evaluationApi } from '../../contract/rules/evaluation/evaluation.calls.ts'
import { curriculumApi } from '../../contract/rules/curriculum/curriculum.calls.ts'
import { labelApi } from '../../contract/rules/labels/labels.calls.ts'
import { workflowApi } from '../../contract/rules/workflow/workflow.calls.ts'
import { dataScope } from '../../contract/core/codes/school.ts'
import { flowCheckerType, flowStepType } from '../../contract/core/codes/rules.ts'
import { roleApi } from '../../contract/school/roles/roles.calls.ts'
import { newSchool, unique, type TestSchool } from '../testing/school.ts'
import { formOf } from '../testing/workflow.ts'
import { whileLocked } from '../testing/while-locked.ts'

interface Named {
  table: string
  column: string
  /** Makes the row that will be named and deleted. */
  make: (school: TestSchool) => Promise<string>
  name: (school: TestSchool, id: string) => Promise<{ code: number }>
  remove: (school: TestSchool, id: string) => Promise<{ code: number }>
}

const makeRole = async ({ admin }: TestSchool) =>
  (await admin.send(roleApi.save, { srName: `角色${unique()}`, dataScope: dataScope.schoolClass, permits: [] })).srId
const makeNode = async ({ admin }: TestSchool) =>
  (await admin.send(curriculumApi.add, { lsName: `体系${unique()}` } as never)).lsId

const cases: Record<string, Named> = {
  'a role that checks a step of a flow': {
    table: 'role',
    column: 'srId',
    make: makeRole,
    name: async (school, id) => {
      const step = {
        wfsNodeName: 'PUBLISH' as const,
        wfsStepName: '审核',
        wfsStepType: flowStepType.anyOne,
        wfsCheckerType: flowCheckerType.role,
        checkers: [id],
      }
      return school.admin.ask(workflowApi.save, await formOf(school, { steps: [step], roleIds: [id] }))
    },
    remove: ({ admin }, id) => admin.ask(roleApi.remove, { ids: [id] }),
  },
  'a node of the curriculum that a flow is for': {
    table: 'curriculum',
    column: 'lsId',
    make: makeNode,
    name: async (school, id) => school.admin.ask(workflowApi.save, await formOf(school, { lsIds: [id] })),
    remove: ({ admin }, id) => admin.ask(curriculumApi.del, { lsId: [id] }),
  },
  'a label that a scoring rule counts for': {
    table: 'qualityLabel',
    column: 'sqlId',
    make: async ({ admin, labels }) =>
      (await admin.send(labelApi.edit, { sqlPid: labels['德']!, sqlName: `能力${unique()}` } as never)).sqlId,
    name: async (school, sqlId) =>
      school.admin.ask(evaluationApi.add, {
        lsId: await makeNode(school),
        esName: unique(),
        levels: [{ esLessonLevel: '5', baseHours: '2' }],
        abilityRules: [{ sqlId, weight: 100 }],
      }),
    remove: ({ admin }, id) => admin.ask(labelApi.del, { sqlId: [id] }),
  },
}

test.each(Object.entries(cases))(
  '%s is named or deleted, never both',
  async (_, { table, column, make, name, remove }) => {
    const school = await newSchool()
    for (let round = 0; round < 4; round++) {
      const id = await make(school)
      const replies: Promise<{ code: number }>[] = []
      await whileLocked(
        school.services.db,
        (held) => sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${id} for update`.execute(held),
        async (untilWaiting) => {
          const acts = [() => name(school, id), () => remove(school, id)]
          for (const act of round % 2 === 0 ? acts : acts.toReversed()) {
            replies.push(act())
            await untilWaiting(replies.length)
          }
        },
      )
      const codes = (await Promise.all(replies)).map(({ code }) => code)
      expect(
        codes.filter((code) => code === 200),
        codes.join(),
      ).toHaveLength(1)
    }
  },
)
