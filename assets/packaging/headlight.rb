class Headlight < Formula
  desc "Terminal viewer of the attention of BERT and its kin"
  homepage "@HOME_PAGE@"
  url "@HOME_PAGE@/headlight-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkgconf" => :build
@BREW_NEEDS@
  def install
    system "make", "NO_INSTALL=1", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match "word", shell_output("#{bin}/headlight 'a word'")
  end
end
