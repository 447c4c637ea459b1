import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../contract/core/call.ts'
import { fileOutput } from '../../contract/core/file.ts'
import { testApp } from '../testing/app.ts'
import { newSchool } from '../testing/school.ts'
import { exportList, inBatches } from './exports.ts'
import { routes } from './routes.ts'
import { setTimeout as sleep } from 'node:timers/promises'
const api = { export: call('GET', '/exportTry', { summary: '试验导出', permit: 'college:list', gives: 'file', input: z.object({}), output: fileOutput }) }
let asked = 0
const tryRoutes = routes(api, { export: async (ctx) => {
  const f = await exportList(ctx, { title: 'x', columns: [{key:'no',label:'n',kind:'integer'},{key:'name',label:'m'}], rows: inBatches(async (l: {no:number,name:string}|undefined) => { asked = l?.no ?? 0; return Array.from({length:500},(_, at)=>({no: asked+at+1, name: ''+Math.random()+Math.random()})) }) })
  ;(f.body as any).on('close',()=>console.log('closed', asked))
  return f } })
beforeAll(async () => void (await testApp(tryRoutes)))
test('x', async () => {
  const school = await newSchool()
  const response = await school.admin.fetch(api.export, {})
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  for (let i=0;i<5;i++){ await sleep(500); console.log(asked, await school.ctx.db.selectFrom('auditLog').select(['action','bizType']).where('schoolId','=',school.schoolId).execute()) }
})
