// The server over TLS, with a certificate that the test makes.
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>

#include "sightline/dashboard/dashboard.h"
#include "sightline/tests/dashboard/http_client.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::IsOk;
using sightline::testing::TempDir;
using ::testing::HasSubstr;
using testing::HttpClient;

constexpr char kToken[] = "0123456789012345678901234567890123456789012";

// A key and a certificate of its own for localhost, as two PEM files.
void MakeCertificate(const std::string& certificate, const std::string& key) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pair(EVP_EC_gen("P-256"),
                                                                 EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), 0);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
  X509_set_pubkey(made.get(), pair.get());
  X509_NAME* const name = X509_get_subject_name(made.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(made.get(), name);
  ASSERT_GT(X509_sign(made.get(), pair.get(), EVP_sha256()), 0);
  const auto write = [](const std::string& path, auto put) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(put(file), 1);
    std::fclose(file);
  };
  write(certificate, [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
  write(key, [&](std::FILE* file) {
    return PEM_write_PrivateKey(file, pair.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
}

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() { MakeCertificate(dir_.File("cert.pem"), dir_.File("key.pem")); }

  DashboardOptions Options() const {
    DashboardOptions options;
    options.roots = {dir_.path()};
    options.token = kToken;
    options.tls_certificate = dir_.File("cert.pem");
    options.tls_key = dir_.File("key.pem");
    return options;
  }
  // The response to a request over a TLS of at most this version; empty without a connection.
  static std::string Ask(std::uint16_t port, int newest) {
    const HttpClient socket(port);
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
    SSL_CTX_set_security_level(context.get(), 0);
    SSL_CTX_set_max_proto_version(context.get(), newest);
    const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), SSL_free);
    SSL_set_fd(tls.get(), socket.fd());
    if (SSL_connect(tls.get()) != 1) return {};
    const std::string request = std::string("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n") +
                                "Authorization: Bearer " + kToken + "\r\nConnection: close\r\n\r\n";
    SSL_write(tls.get(), request.data(), static_cast<int>(request.size()));
    std::string held;
    char buffer[4096];
    for (int n = 0; (n = SSL_read(tls.get(), buffer, sizeof(buffer))) > 0;)
      held.append(buffer, static_cast<std::size_t>(n));
    return held;
  }

  TempDir dir_;
};

TEST_F(TlsTest, AnswersOverTls) {
  const auto started = Dashboard::Start(Options());
  ASSERT_THAT(started, IsOk());
  EXPECT_THAT((*started)->Url(), HasSubstr("https://127.0.0.1:"));
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION})
    EXPECT_THAT(Ask((*started)->port(), version), HasSubstr("\"read_only\":true"));
}

TEST_F(TlsTest, TakesNoOlderVersionAndNoPlainText) {
  const auto started = Dashboard::Start(Options());
  ASSERT_THAT(started, IsOk());
  EXPECT_EQ(Ask((*started)->port(), TLS1_1_VERSION), "");
  EXPECT_EQ(testing::Ask((*started)->port(), "GET", "/", "Host: localhost\r\n").status, 0);
}

TEST_F(TlsTest, ClosesAHandshakeThatDoesNotEnd) {
  DashboardOptions options = Options();
  options.limits.header_time = std::chrono::milliseconds(50);
  const auto started = Dashboard::Start(std::move(options));
  ASSERT_THAT(started, IsOk());
  HttpClient client((*started)->port());
  client.Send("\x16\x03\x01");
  EXPECT_TRUE(client.ReadsEnd());
}

TEST_F(TlsTest, ServesOtherMachinesWithoutPlainHttp) {
  DashboardOptions options = Options();
  options.address = "0.0.0.0";
  EXPECT_THAT(Dashboard::Start(std::move(options)), IsOk());
}

TEST_F(TlsTest, NamesTheFileThatIsOfNoUse) {
  MakeCertificate(dir_.File("other.pem"), dir_.File("other_key.pem"));
  const auto refuses = [&](const std::string& certificate, const std::string& key) {
    DashboardOptions options = Options();
    options.tls_certificate = certificate.empty() ? "" : dir_.File(certificate);
    options.tls_key = key.empty() ? "" : dir_.File(key);
    const auto started = Dashboard::Start(std::move(options));
    return started ? std::string() : std::string(started.error().message());
  };
  EXPECT_THAT(refuses("none.pem", "key.pem"), HasSubstr("none.pem"));
  EXPECT_THAT(refuses("cert.pem", "other_key.pem"), HasSubstr("other_key.pem"));
  EXPECT_THAT(refuses("cert.pem", ""), HasSubstr("two files"));
  EXPECT_THAT(refuses("", "key.pem"), HasSubstr("two files"));
}

}  // namespace
}  // namespace sightline::dashboard
