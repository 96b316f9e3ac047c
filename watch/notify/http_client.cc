#include "sightline/watch/notify/http_client.h"

#ifdef SIGHTLINE_HAS_CURL

#include <curl/curl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace sightline::watch {
namespace {

constexpr long kSeconds = 10;
constexpr std::size_t kMostAnswer = std::size_t{64} << 10U;

struct ListFree {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, ListFree>;

void Append(List& list, const std::string& line) {
  if (curl_slist* const longer = curl_slist_append(list.get(), line.c_str())) {
    list.release();  // NOLINT(bugprone-unused-return-value): `longer` begins with it.
    list.reset(longer);
  }
}

// libcurl is made ready before the first request, by whichever thread is the first.
struct Library {
  Library() { curl_global_init(CURL_GLOBAL_DEFAULT); }
};

std::size_t TakeAnswer(char* bytes, std::size_t /*one*/, std::size_t count, void* to) {
  auto& body = *static_cast<std::string*>(to);
  body.append(bytes, std::min(count, kMostAnswer - body.size()));
  return body.size() < kMostAnswer ? count : 0;  // 0 ends the request.
}

struct Unread {
  std::string_view bytes;
};

std::size_t GiveMail(char* bytes, std::size_t one, std::size_t count, void* from) {
  auto& rest = static_cast<Unread*>(from)->bytes;
  const std::size_t size = std::min(one * count, rest.size());
  std::memcpy(bytes, rest.data(), size);
  rest.remove_prefix(size);
  return size;
}

// The file of the certificates that this system trusts: what the environment names, as for every
// program with OpenSSL, or where Debian, openEuler and Alpine have it. nullptr: libcurl's own
// default.
const char* TrustedCertificates() {
  const char* const named = std::getenv("SSL_CERT_FILE");
  for (const char* file : {named, "/etc/ssl/certs/ca-certificates.crt",
                           "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"})
    if (file != nullptr && (file == named || access(file, R_OK) == 0)) return file;
  return nullptr;
}

// A request with what all have in common.
class Request {
 public:
  Request(const Target& target, const std::string& url)
      : handle_(curl_easy_init(), curl_easy_cleanup) {
    if (handle_ == nullptr) return;
    Set(CURLOPT_URL, url.c_str());
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_TIMEOUT, kSeconds);
    Set(CURLOPT_FOLLOWLOCATION, 0L);
    Set(CURLOPT_PROTOCOLS_STR, "http,https,smtp,smtps");
    const char* const trusted =
        target.certificates.empty() ? TrustedCertificates() : target.certificates.c_str();
    if (trusted != nullptr) Set(CURLOPT_CAINFO, trusted);
  }

  template <typename Value>
  void Set(CURLoption option, Value value) {
    curl_easy_setopt(handle_.get(), option, value);
  }
  // libcurl's own words, which have no address in them.
  Status Perform() {
    if (handle_ == nullptr) return {StatusCode::kResourceExhausted, "no memory for a request"};
    const CURLcode code = curl_easy_perform(handle_.get());
    if (code == CURLE_OK) return {};
    return {StatusCode::kUnavailable, curl_easy_strerror(code)};
  }
  long HttpStatus() const {
    long status = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }
  double RetryAfter() const {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RETRY_AFTER, &seconds);
    return static_cast<double>(seconds);
  }

 private:
  const Library& library_ = []() -> const Library& {
    static const Library library;
    return library;
  }();
  std::unique_ptr<CURL, void (*)(CURL*)> handle_;
};

}  // namespace

std::string HttpClientVersion() { return curl_version(); }

Result<Answer> PostJson(const Target& target, const HttpMessage& message, const std::string& id) {
  Request request(target, message.url);
  List headers;
  Append(headers, "Content-Type: application/json; charset=utf-8");
  Append(headers, "Idempotency-Key: " + id);
  if (!target.authorization.empty()) Append(headers, "Authorization: " + target.authorization);
  Answer answer;
  request.Set(CURLOPT_HTTPHEADER, headers.get());
  request.Set(CURLOPT_USERAGENT, "sightline");
  request.Set(CURLOPT_POSTFIELDS, message.body.c_str());
  request.Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(message.body.size()));
  request.Set(CURLOPT_WRITEFUNCTION, TakeAnswer);
  request.Set(CURLOPT_WRITEDATA, static_cast<void*>(&answer.body));
  SIGHTLINE_RETURN_IF_ERROR(request.Perform());
  answer.status = static_cast<int>(request.HttpStatus());
  answer.retry_after = request.RetryAfter();
  return answer;
}

Status SendMail(const Target& target, const std::string& mail) {
  Request request(target, target.url);
  List to;
  for (const std::string& one : target.to) Append(to, "<" + one + ">");
  Unread unread{mail};
  request.Set(CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
  if (!target.user.empty()) request.Set(CURLOPT_USERNAME, target.user.c_str());
  if (!target.password.empty()) request.Set(CURLOPT_PASSWORD, target.password.c_str());
  const std::string from = "<" + target.from + ">";
  request.Set(CURLOPT_MAIL_FROM, from.c_str());
  request.Set(CURLOPT_MAIL_RCPT, to.get());
  request.Set(CURLOPT_READFUNCTION, GiveMail);
  request.Set(CURLOPT_READDATA, static_cast<void*>(&unread));
  request.Set(CURLOPT_UPLOAD, 1L);
  return request.Perform();
}

}  // namespace sightline::watch

#else

namespace sightline::watch {
namespace {

Status NoClient() {
  return {StatusCode::kUnimplemented,
          "this program was built without libcurl, and can notify by a command only"};
}

}  // namespace

std::string HttpClientVersion() { return ""; }

Result<Answer> PostJson(const Target& /*target*/, const HttpMessage& /*message*/,
                        const std::string& /*id*/) {
  return Error(NoClient());
}

Status SendMail(const Target& /*target*/, const std::string& /*mail*/) { return NoClient(); }

}  // namespace sightline::watch

#endif
