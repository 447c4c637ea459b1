import { useEffect, useRef, useState } from 'react'
import { secondFactorApi } from '../../contract/school/session/second-factor.calls.ts'
import { Dialog } from '../core/parts/dialog.tsx'
import { onFreshCode, send } from '../core/service/api.ts'
import { ApiError } from '../core/service/wire.ts'
import { CodeInput } from './code-input.tsx'

/**
 * Where a call wants a fresh code of the second factor, asks for it over the page; the call is then made again by
 * itself.
 */
export function FreshCode() {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const settle = useRef<(isProven: boolean) => void>(undefined)

  useEffect(() => {
    onFreshCode(
      () =>
        new Promise((resolve) => {
          settle.current = resolve
          setCode('')
          setFault(undefined)
          setOpen(true)
        }),
    )
    return () => onFreshCode(undefined)
  }, [])

  const finish = (isProven: boolean) => {
    setOpen(false)
    settle.current?.(isProven)
  }
  const submit = async () => {
    // a second press would use up a try with a code that is used by then
    if (isWaiting) return
    if (!code.trim()) return setFault('请输入动态口令')
    setWaiting(true)
    try {
      await send(secondFactorApi.confirm, { code: code.trim() }, { quiet: true, blocks: false })
      finish(true)
    } catch (error) {
      // a code is good once: the next one is typed anew
      setCode('')
      setFault(error instanceof ApiError ? error.message : '未能验证，请重试')
    } finally {
      setWaiting(false)
    }
  }

  return (
    <Dialog
      open={isOpen}
      title="请再次验证身份"
      okText="验证并继续"
      cancelText="取消"
      confirmLoading={isWaiting}
      onOk={() => void submit()}
      onCancel={() => finish(false)}
      mask={{ closable: false }}
      width={420}
      zIndex={2000}
    >
      <p className="again-hint">该操作涉及权限或个人信息。验证后 10 分钟内不再询问。</p>
      <label className="again-label">
        动态口令
        <CodeInput
          value={code}
          status={fault ? 'error' : ''}
          onChange={(event) => setCode(event.target.value)}
          onPressEnter={() => void submit()}
        />
      </label>
      {fault && (
        <p className="again-fault" role="alert">
          {fault}
        </p>
      )}
    </Dialog>
  )
}
