import { beforeAll, expect, test } from 'vitest'
import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { addDays, epochOf } from '../../core/base/clock.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { samlServer } from '../../testing/saml-server.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { warnOfCertificates } from './certificate-warnings.service.ts'

await useOwnDatabase()

let school: TestSchool
let metadata: string
beforeAll(async () => {
  school = await newSchool()
  metadata = (await samlServer()).metadata()
})

/** The certificate of the metadata is over twenty years after it was made. */
const yearsLater = (years: number): string => {
  const now = new Date(epochOf(school.clock.now()))
  now.setUTCFullYear(now.getUTCFullYear() + years)
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
/** What the administrator is told when the job runs so many days after the certificate's end. */
async function toldAt(days: number): Promise<string[]> {
  const before = await titles()
  const services = { ...school.services, clock: { now: () => addDays(yearsLater(20), days) } }
  await warnOfCertificates(services)
  await warnOfCertificates(services)
  return (await titles()).slice(0, -before.length || undefined)
}
const titles = async () =>
  (await school.admin.send(messageApi.inbox, { pageSize: 50 })).records
    .map(({ iiTitle }) => iiTitle)
    .filter((title) => title.includes('证书'))

const provider = (changes: object = {}) => ({
  kind: 'saml' as const,
  name: '校园账号',
  audience: ['teacher' as const],
  enabled: true,
  settings: { address: '', metadata, attribute: 'employeeNumber' },
  ...changes,
})

test('whoever may set up sign-ins is told 30 days before pasted metadata end, 7 days before, and then: once each', async () => {
  const { providerId } = await school.admin.send(identityApi.save, provider() as never)
  const day = yearsLater(20).slice(0, 10)
  expect(await toldAt(-31)).toEqual([])
  const soon = `登录方式“校园账号”的签名证书将于 ${day} 到期`
  expect(await toldAt(-29)).toEqual([soon])
  expect(await toldAt(-8)).toEqual([])
  expect(await toldAt(-6)).toEqual([soon])
  expect(await toldAt(1)).toEqual([`登录方式“校园账号”的签名证书已于 ${day} 到期`])
  expect(await toldAt(40)).toEqual([])
  // metadata that say themselves until when they hold end with that
  const sooner = new Date(epochOf(yearsLater(19))).toISOString()
  const { records } = await school.admin.send(identityApi.list, {})
  await school.admin.send(
    identityApi.save,
    provider({
      providerId,
      version: records[0]!.version,
      settings: {
        address: '',
        metadata: metadata.replace('<EntityDescriptor', `<EntityDescriptor validUntil="${sooner}"`),
        attribute: 'employeeNumber',
      },
    }) as never,
  )
  expect(await toldAt(-366 - 10)).toHaveLength(1)
})

test('nobody is told of a provider that is switched off, or whose metadata come from its address', async () => {
  const own = await newSchool()
  await own.admin.send(identityApi.save, provider({ enabled: false }) as never)
  await own.admin.send(
    identityApi.save,
    provider({
      name: '另一个',
      settings: { address: 'https://idp.example.edu.cn/metadata', attribute: '' },
    }) as never,
  )
  const later = { ...own.services, clock: { now: () => addDays(yearsLater(20), 1) } }
  await warnOfCertificates(later)
  const { records } = await own.admin.send(messageApi.inbox, { pageSize: 50 })
  expect(records.filter(({ iiTitle }) => iiTitle.includes('证书'))).toEqual([])
})
