import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

/** A message as the service took it. */
export interface Taken {
  path: string
  body: Record<string, unknown>
}

/**
 * 企业微信 and 钉钉 as they publish their interfaces: a token for an application and its secret, and messages to people
 * for that token alone. Text messages are taken at `/sms`, whatever they look like.
 */
export async function appService(application: { key: string; secret: string }, people: readonly string[]) {
  const taken: Taken[] = []
  const raw: { url: string; headers: Record<string, unknown>; body: string }[] = []
  const state = {
    tokens: 0,
    answer: undefined as object | undefined,
    silent: false,
    /** What has become of messages, by the number that 钉钉 gave them. */
    results: {} as Record<number, object>,
    sms: '{"code":"0"}',
    smsStatus: 200,
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://service')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const say = (value: object) => response.writeHead(200).end(JSON.stringify(value))
      const asked = (name: string) => url.searchParams.get(name)
      if (url.pathname === '/sms') {
        raw.push({ url: request.url!, headers: request.headers, body: text })
        return response.writeHead(state.smsStatus).end(state.sms)
      }
      if (url.pathname === '/cgi-bin/gettoken' || url.pathname === '/gettoken') {
        const key = asked('corpid') ?? asked('appkey')
        const secret = asked('corpsecret') ?? asked('appsecret')
        if (key !== application.key) return say({ errcode: 40013, errmsg: 'invalid corpid' })
        if (secret !== application.secret) return say({ errcode: 40001, errmsg: 'invalid credential' })
        return say({ errcode: 0, errmsg: 'ok', access_token: `token-${++state.tokens}`, expires_in: 7200 })
      }
      // it has heard and says nothing
      if (state.silent) return request.socket.destroy()
      if (asked('access_token') !== `token-${state.tokens}`)
        return say({ errcode: 42001, errmsg: 'access_token expired' })
      if (url.pathname.endsWith('/getsendresult')) {
        const { task_id: task } = JSON.parse(text) as { task_id: number }
        return say({ errcode: 0, errmsg: 'ok', send_result: state.results[task] ?? {} })
      }
      if (state.answer) return say(state.answer)
      const body = JSON.parse(text) as Record<string, unknown>
      const user = (body['touser'] ?? body['userid_list']) as string
      if (!people.includes(user))
        return say(
          body['touser'] ? { errcode: 0, errmsg: 'ok', invaliduser: user } : { errcode: 33012, errmsg: 'no such user' },
        )
      taken.push({ path: url.pathname, body })
      return say({ errcode: 0, errmsg: 'ok', msgid: 'm1', task_id: taken.length })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atFileEnd(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken, raw, state }
}
