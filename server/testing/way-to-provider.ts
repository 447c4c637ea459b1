import { createHash, randomBytes } from 'node:crypto'
import { identityApi } from '../../contract/school/identity/identity.calls.ts'
import type { TestSchool } from './school.ts'

/** A browser that follows the way to a provider and back, a step at a time. */
export async function wayToProvider(
  school: TestSchool,
  providerId: string,
  { agent = 'test', query = '' }: { agent?: string; query?: string } = {},
) {
  const verifier = randomBytes(32).toString('hex')
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const go = async (address: string) => {
    const response = await fetch(new URL(address, school.address), {
      redirect: 'manual',
      headers: { 'user-agent': agent },
    })
    return response.headers.get('location') ?? ''
  }
  const login = await go(`/api/schoolbase/identity/start/${providerId}?challenge=${challenge}${query}`)
  return { verifier, go, login }
}

/** Goes the whole way, and tells what the browser brings back. */
export async function signedInAt(school: TestSchool, providerId: string, options?: { agent?: string; query?: string }) {
  const { verifier, go, login } = await wayToProvider(school, providerId, options)
  const callback = await go(login)
  const landing = callback ? await go(callback) : ''
  const query = new URL(landing, school.address).searchParams
  const code = query.get('identityCode')
  const exchange = () => school.nobody.ask(identityApi.exchange, { code, verifier })
  return { verifier, go, login, callback, landing, code, fault: query.get('identityFault'), exchange }
}
