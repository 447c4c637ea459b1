import { useState } from 'react'
import { localStore } from '../../core/service/storage.ts'
import { Card } from '../parts/pieces.tsx'
import { install, isPlainSafari, useCanInstall } from '../worker/register.ts'

/** Kept on the phone: whoever does not want the pages on its screen is not told again. */
const dismissed = 'installHintDismissed'

/** How the pages come onto the phone's own screen: by a button, or by hand where the browser has none. */
export function InstallCard() {
  const isOffered = useCanInstall()
  const [isHinted, setHinted] = useState(
    () =>
      localStore.get<boolean>(dismissed) !== true &&
      isPlainSafari(navigator, matchMedia('(display-mode: standalone)').matches),
  )
  if (isOffered)
    return (
      <Card title="放到手机桌面">
        <p>像应用一样从桌面打开，网络不好时也能先看到页面；不占多少空间，随时可以删除。</p>
        <button type="button" className="s-button s-wide" onClick={() => void install()}>
          添加到桌面
        </button>
      </Card>
    )
  if (!isHinted) return null
  return (
    <Card title="放到手机桌面">
      <p>像应用一样从桌面打开，网络不好时也能先看到页面。</p>
      <ol className="s-numbered">
        <li>点 Safari 工具栏的“分享”按钮（方框与向上箭头）</li>
        <li>选“添加到主屏幕”</li>
        <li>点右上角“添加”</li>
      </ol>
      <button
        type="button"
        className="s-button s-wide"
        onClick={() => {
          localStore.set(dismissed, true)
          setHinted(false)
        }}
      >
        不再提示
      </button>
    </Card>
  )
}
