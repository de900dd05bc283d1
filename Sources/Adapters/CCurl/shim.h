// libcurl's option functions are variadic, which Swift cannot call; one typed function a kind of argument.
#include <curl/curl.h>

typedef size_t (*bitpal_curl_io)(char *buffer, size_t size, size_t count, void *user);

static inline CURLcode bitpal_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bitpal_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bitpal_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bitpal_curl_set_io(CURL *handle, CURLoption option, bitpal_curl_io value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bitpal_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode bitpal_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}
